/// What a session knows of itself when it starts serving: for the tool's player page.
package struct SessionDescription: Sendable {
    package let title: String
    package let info: SourceInfo
    package let engine: PrismCoreEngine.Engine
    package let reason: String
    package let planOrigin: PlanOrigin
    package let deliveries: [AudioTrackDelivery]
    package let display: DisplayReport
    /// The playlist a player gets, from the server's root.
    package let playlistName: String
    package let checkpoints: [StartupCheckpoint]
    /// Source time of the presentation's start, seconds.
    package let origin: Double
}
