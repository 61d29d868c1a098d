internal import Remux

/// Why an audio track that is decoded and encoded gives no sound, or less than it holds. The rest of the film plays.
public enum AudioBridgeFailure: Error, Sendable, Equatable {
    /// All of it was read up to the film's end, and its decoder never gave anything: what is served is silence.
    case producedNoAudio(streamIndex: Int, name: String)
    /// Its decoder or encoder would not open, or not go on: what is missing is silence.
    case pipelineFailed(streamIndex: Int, name: String)

    init(_ failure: BridgeFailure, streamIndex: Int, name: String) {
        switch failure {
        case .producedNoAudio: self = .producedNoAudio(streamIndex: streamIndex, name: name)
        case .pipelineFailed: self = .pipelineFailed(streamIndex: streamIndex, name: name)
        }
    }

    public var streamIndex: Int {
        switch self {
        case .producedNoAudio(let index, _), .pipelineFailed(let index, _): index
        }
    }
}

extension AudioBridgeFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .producedNoAudio(let index, let name): "\(name) (stream \(index)): nothing of it could be decoded; it is silent"
        case .pipelineFailed(let index, let name): "\(name) (stream \(index)): its decoder or encoder failed; it is silent where it did"
        }
    }
}
