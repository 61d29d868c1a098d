internal import BitsAndTime
internal import Libav
internal import Remux
internal import SoundShaping

/// The dialogue-boost renditions of a session: made from the stream of the track it starts with, which stays as it is.
struct DialogueBoostAssembly {
    private(set) var products: [(level: DialogueBoost, product: BridgeFactory.Product)] = []
    /// Why there are none, where some were asked for.
    private(set) var refusal: String?

    /// - Parameters:
    ///   - name: NAME of the track that a session starts with.
    ///   - number: Of the first rendition, behind those of the source's tracks.
    init(
        _ stream: StreamInfo?, name: String, number: Int, isPlanned: Bool, isJoined: Bool, options: PrismCoreSession.Options,
        make: (StreamInfo, Int, Shaping) throws(BridgeFactory.Refusal) -> BridgeFactory.Product
    ) {
        let levels = DialogueBoost.allCases.filter(options.dialogueBoost.contains)
        guard !levels.isEmpty else { return }
        guard let stream else {
            refusal = "there is no sound"
            return
        }
        // Nobody may ever hear them, and without a plan there is no going back for what was not encoded on the way.
        if !isPlanned { refusal = "a session without a plan would encode them for the whole film" }
        if isJoined { refusal = "one media playlist carries one audio track" }
        for level in levels where refusal == nil {
            do throws(BridgeFactory.Refusal) {
                let product = try make(stream, number + products.count, options.audioShaping.shaping(bedGain: level.bedGainDB))
                if product.track.shaped.map({ Shaping.findsDialogue(in: $0.sourceSpeakers) }) ?? false {
                    products.append((level, product.named("\(name) (\(level.label))")))
                } else {
                    refusal = "dialogue cannot be told from the rest in one channel"
                }
            } catch {
                refusal = error.reason
            }
        }
    }
}

extension BridgeFactory.Product {
    /// The same as a boost of dialogue, with its own NAME, which says nothing of what the container says of its track.
    fileprivate func named(_ name: String) -> Self {
        var description = rendition.track
        description.title = name
        description.enhancesDialogue = true
        description.isDefault = false
        description.isOriginal = false
        return Self(track: track, rendition: RenditionFactory.bridged(track, description: description), translator: translator)
    }
}
