internal import Locks
package import TimedText

extension RecognitionQueue {
    /// What became of a cue's pictures.
    package struct ReadCue: Sendable {
        /// A cue of words for each object that has any.
        package let cues: [(cue: TextCue, isForced: Bool)]
        /// Of the objects that could not be read.
        package let errors: [RecognitionError]
    }

    /// Asks for the words on all pictures of a cue.
    ///
    /// - Parameters:
    ///   - video: The film's picture.
    ///   - completion: Called once, when the last picture is read, as at ``read(_:at:language:completion:)``.
    package func read(_ cue: PictureCue, language: String?, on video: VideoFrame?, completion: @escaping @Sendable (ReadCue) -> Void) {
        let gathered = Locked((readings: [[RecognisedLine]](repeating: [], count: cue.objects.count), errors: [RecognitionError](), left: cue.objects.count))
        for (index, object) in cue.objects.enumerated() {
            read(object, at: cue.start, language: language) { result in
                let whole: (readings: [[RecognisedLine]], errors: [RecognitionError])? = gathered.withLock { gathered in
                    switch result {
                    case .success(let lines): gathered.readings[index] = lines
                    case .failure(let error): gathered.errors.append(error)
                    }
                    gathered.left -= 1
                    return gathered.left == 0 ? (gathered.readings, gathered.errors) : nil
                }
                guard let whole else { return }
                completion(ReadCue(cues: cue.textCues(whole.readings, on: video), errors: whole.errors))
            }
        }
    }
}
