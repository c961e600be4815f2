#!/bin/sh
# requirements.lock: write it (`make lock`) and prove it (`make lock-check`).
#
#   tools/lock.sh write              keep the locked versions wherever they still satisfy pyproject
#   tools/lock.sh write --upgrade    take the newest versions
#   tools/lock.sh check              install it for each Python of the range
set -eu
cd "$(dirname "$0")/.."

uv_version=0.13.9 # writes the lock; a tool of the maintainer, not part of any environment of ours
work=build/lock

tool() {
    if [ ! -x $work/uv/bin/uv ]; then
        python3 -m venv --clear $work/uv
        $work/uv/bin/python -m pip install --quiet --disable-pip-version-check "uv==$uv_version"
    fi
}

# One file for every Python of the range and every platform. `fewest`: one version of a package
# for all of them, so that results do not depend on the Python in use. Wheels only, as at install.
write() {
    tool
    $work/uv/bin/uv pip compile pyproject.toml --group dev --output-file requirements.lock \
        --universal --python-version 3.11 --fork-strategy fewest --only-binary :all: \
        --generate-hashes --no-annotate --no-header --no-emit-index-url --no-emit-find-links \
        --no-config --system-certs --quiet "$@"
    echo "requirements.lock: $(grep -c '==' requirements.lock) packages"
}

# The first interpreter of version 3.$1 that runs: on PATH, or where pyenv and the like keep theirs.
interpreter() {
    for candidate in "python3.$1" "$HOME"/.pyenv/versions/3."$1".*/bin/python3 \
        "$HOME"/.local/share/uv/python/cpython-3."$1".*/bin/python3; do
        if "$candidate" -c "import sys, ensurepip; sys.exit(sys.version_info[1] != $1)" 2>/dev/null
        then
            echo "$candidate"
            return
        fi
    done
}

# In an empty environment with a new home: no setting of this machine helps or hinders.
plain() {
    mkdir -p $work/home
    env -i HOME="$PWD/$work/home" PATH=/usr/bin:/bin "$@"
}

check() {
    tool
    if grep -nE '://|^ *-[^-]|^ *--[^h]|@' requirements.lock; then
        echo 'requirements.lock: only pins and hashes belong here' >&2
        exit 1
    fi
    for minor in 11 12 13 14; do
        python=$(interpreter $minor)
        if [ -n "$python" ]; then
            echo "3.$minor: installing with $python"
            "$python" -m venv --clear "$work/3.$minor"
            plain "$work/3.$minor/bin/python" -m pip install --quiet --disable-pip-version-check \
                --require-hashes --only-binary :all: -r requirements.lock
            plain "$work/3.$minor/bin/python" -m pip check --disable-pip-version-check
            plain "$work/3.$minor/bin/python" -c 'import numba
assert numba.njit(lambda x: x + 1)(1) == 2'
        else
            # pip takes the wheels that 3.$minor would take, but reads environment markers as the
            # Python it runs in; uv reads them as 3.$minor does.
            echo "3.$minor: not installed, dry run for it"
            plain $work/uv/bin/python -m pip install --quiet --disable-pip-version-check \
                --dry-run --ignore-installed --require-hashes --only-binary :all: \
                --python-version "3.$minor" --target "$work/3.$minor" -r requirements.lock
            plain $work/uv/bin/uv pip install --quiet --no-config --system-certs \
                --dry-run --require-hashes --only-binary :all: \
                --python-version "3.$minor" --target "$work/3.$minor" -r requirements.lock
        fi
    done
    echo 'requirements.lock: good for 3.11, 3.12, 3.13 and 3.14'
}

command=${1:?write or check}
shift
case $command in
    write) write "$@" ;;
    check) check ;;
    *) echo "tools/lock.sh: write or check, not $command" >&2; exit 2 ;;
esac
