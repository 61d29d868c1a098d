# Shared by the scripts beside it; sourced, never run.
# Gives: root (the project), tools (downloads, git-ignored), say, die, find_swift.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
tools=$root/.tools
me=${0##*/}

say() { printf '%s: %s\n' "$me" "$*"; }
die() { printf '%s: %s\n' "$me" "$*" >&2; exit 1; }
usage() { printf 'usage: %s\n' "$*" >&2; exit 2; }

# The version ("6.3.1") of the `swift` given, empty when it does not run.
swift_version() {
    "$1" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1
}

# Every `swift` worth asking, best first: the one named, the one in PATH, the usual places, our download.
swift_candidates() {
    local found
    if [ -n "${SWIFT_HOME:-}" ]; then
        printf '%s\n' "$SWIFT_HOME/usr/bin/swift" "$SWIFT_HOME/bin/swift"
    fi
    found=$(command -v swift) && printf '%s\n' "$found"
    printf '%s\n' /opt/swift/usr/bin/swift /usr/bin/swift "$tools/swift/usr/bin/swift"
}

# Sets swift_bin (a folder) and swift_is (a version); fails when there is no Swift >= 6.0.
find_swift() {
    local path
    while IFS= read -r path; do
        [ -x "$path" ] || continue
        swift_is=$(swift_version "$path")
        case $swift_is in
            '' | [0-5].*) continue ;;
        esac
        swift_bin=$(dirname -- "$path")
        return 0
    done <<<"$(swift_candidates)"
    return 1
}

# Puts that Swift first in PATH, and sets release: what `swift build` is told for the tools that are run.
use_swift() {
    find_swift || die 'no Swift 6.0 or newer; run script/bootstrap'
    PATH=$swift_bin:$PATH
    export PATH
    # With Swift's own libraries inside, the tool runs where no Swift is and takes 7 MB less memory; not every distribution's Swift has them.
    release=(-c release)
    if [ -e "$(dirname -- "$swift_bin")/lib/swift_static/linux/static-stdlib-args.lnk" ]; then release+=(--static-swift-stdlib); fi
}

# Opt-in tests read the collection of media beside the project, where there is one.
use_media() {
    if [ -z "${PRISM_MEDIA:-}" ] && [ -d "$root/../shared/media" ]; then
        PRISM_MEDIA=$(cd -- "$root/../shared/media" && pwd -P)
        export PRISM_MEDIA
    fi
}
