import Foundation

/// `prismcore-cli`: the engine on one source, from a terminal.
@main
enum CommandLineTool {
    static let usage = """
        usage: prismcore-cli COMMAND [OPTIONS] SOURCE

        SOURCE is a file or a URL.

          probe [--json] [--structure none|layout|full] SOURCE
              what the source is, track by track, and which engine plays it
          serve [--port N] [--no-page] [--language TAG[,TAG...]] [--cache-bytes N] [--window SECONDS] [--lan [--interface NAME]]
                [--dialogue-boost medium,strong] [--max-channels N] [--dialogue-gain DB] [--night]
                [--audio-delay MS] [--target PLAYER] [--subtitle FILE[:LANGUAGE]]... [--subtitle-language TAG[,TAG...]]
                [--subtitle-delay MS] [--in-band-captions] SOURCE
              serves the source as HLS on 127.0.0.1 and prints `playlist: URL` and `player: URL`; runs until interrupted
              --language: the audio track to start with, the most wanted language first; any ISO 639 code, tag or English name
              --window: where the source has no index, list only this much of what was played (default: all of it)
              --target: what takes it: apple, browser, desktop, or the codecs of a browser (h264,aac,flac); else the page asks its browser,
              and gets a session of its own where it takes something else than Apple's players
              --lan serves it to the local network instead: unencrypted, to whoever has the URL with the token in it
              --interface is the network interface for that, by name or IPv4 address
              --dialogue-boost offers renditions beside the track it starts with in which all but dialogue is 6 or 12 dB lower
              --max-channels, --dialogue-gain (0 to 12) and --night (loud quieter, quiet louder) change the sound of every track
              --audio-delay presents sound so many milliseconds later, −2000 to 2000
              --subtitle offers a file of subtitles, or one at a URL, beside the film's own; may be given more than once
              --subtitle-language: the subtitles to start with, as --language; without it, none but what has to be read
              --subtitle-delay shows subtitles so many milliseconds later, −10000 to 10000
              --in-band-captions leaves the captions in the picture to the player, instead of offering them as text
          segverify [--json] SOURCE
              fetches every segment and checks that it keeps what the playlist promises

          validate [--json] [--require-validator] SOURCE
              holds playlists, init segments, segments and subtitles against RFC 8216, its successor and Apple's authoring rules: those of a
              .m3u8 as it is, those of a session for any other source; and runs Apple's mediastreamvalidator where it is installed
          bench [--json] SOURCE
              how fast it starts, seeks and plays, and what that costs: time, CPU, memory, bytes and requests

          --header 'Name: value'   sent to the source's origin; may be given more than once
          --help, --version

        exit codes: 0 fine, 1 failed, 2 wrong usage; of validate: 0 no rule broken, 1 one is, 2 it could not be run, 3 mediastreamvalidator
        is required and not there
        """

    static func main() async {
        // A reader that went away (`| head`) must not kill a server.
        signal(SIGPIPE, SIG_IGN)
        do {
            let arguments = try ArgumentParser(CommandLine.arguments.dropFirst())
            if arguments.wantsHelp {
                print(usage)
                exit(0)
            }
            if arguments.wantsVersion {
                print("prismcore-cli \(Version.text)")
                exit(0)
            }
            switch arguments.command {
            case "probe": exit(try await ProbeCommand(arguments).run())
            case "serve": exit(try await ServeCommand(arguments).run())
            case "segverify": exit(try await SegverifyCommand(arguments).run())
            case "validate": exit(try await ValidateCommand(arguments).run())
            case "bench": exit(try await BenchCommand(arguments).run())
            case let other?: throw UsageError("there is no command \(other)")
            case nil: throw UsageError("a command is needed")
            }
        } catch let error as UsageError {
            Terminal.error("\(error.reason)\n\n\(usage)")
            exit(2)
        } catch {
            Terminal.error("prismcore-cli: \(Failure.text(error))")
            exit(1)
        }
    }
}
