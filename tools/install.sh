#!/bin/sh
# Make .venv from requirements.lock and install the project into it. `make install` calls this.
#
# Does nothing when .venv is up to date. PYTHON=... picks the interpreter; without it the newest
# suitable one wins. A .venv whose making was interrupted is made again; one that somebody else
# made is kept if it works, and brought to the locked versions.
set -eu
cd "$(dirname "$0")/.."

venv=.venv
stamp=$venv/.assay-installed   # what was installed, and from what
unfinished=$venv/.assay-unfinished
pip_options="--disable-pip-version-check --no-input --quiet"

fail() {
    printf 'make install: %s\n' "$*" >&2
    exit 1
}

# Prints "3.12" for an interpreter we can use. A name on PATH proves nothing (version managers
# put launchers there for versions that are not active), so every candidate is run.
version_of() {
    "$1" -c 'import sys
v = sys.version_info
if sys.implementation.name == "cpython" and (3, 11) <= v < (3, 15):
    print("%d.%d" % v[:2])' 2>/dev/null || true
}

has_module() {
    "$1" -c "import $2" >/dev/null 2>&1
}

can_make_venv() {
    has_module "$1" venv && { has_module "$1" ensurepip || has_module "$1" pip; }
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        [ -n "$(version_of "$PYTHON")" ] ||
            fail "PYTHON=$PYTHON is not a CPython 3.11, 3.12, 3.13 or 3.14 that runs"
        can_make_venv "$PYTHON" || fail "$(no_venv "$PYTHON")"
        echo "$PYTHON"
        return
    fi
    without_venv=
    for candidate in python3.14 python3.13 python3.12 python3.11 python3 python; do
        [ -n "$(version_of "$candidate")" ] || continue
        if can_make_venv "$candidate"; then
            echo "$candidate"
            return
        fi
        without_venv=${without_venv:-$candidate}
    done
    [ -z "$without_venv" ] || fail "$(no_venv "$without_venv")"
    fail "no Python 3.11, 3.12, 3.13 or 3.14 found." \
        "Install one, or say where it is: make install PYTHON=/path/to/python3"
}

no_venv() {
    echo "$1 has neither ensurepip nor pip, so it cannot make a virtual environment." \
        "On Debian and Ubuntu: apt-get install python3-venv"
}

describe() { # of the venv as it should be
    printf 'folder %s\npython %s\n' "$(pwd -P)" "$(version_of $venv/bin/python)"
    cksum pyproject.toml requirements.lock tools/install.sh
}

reusable() {
    [ ! -e $unfinished ] || return 1
    [ -n "$(version_of $venv/bin/python)" ] || return 1
    # Moved or copied from elsewhere: its scripts point to the old place.
    if [ -e $stamp ] && ! grep -qxF "folder $(pwd -P)" $stamp; then return 1; fi
    if [ -n "${PYTHON:-}" ]; then
        [ "$(version_of "$PYTHON")" = "$(version_of $venv/bin/python)" ] || return 1
    fi
    has_module $venv/bin/python pip || [ -e $stamp ]
}

if reusable; then
    if [ -e $stamp ] && [ "$(describe)" = "$(cat $stamp)" ]; then
        exit 0
    fi
    python=$venv/bin/python
else
    python=$(find_python)
    echo "Making $venv with $python ($(version_of "$python"))"
    rm -rf $venv
    if has_module "$python" ensurepip; then
        "$python" -m venv $venv
    else
        # Debian splits ensurepip off; where the system has a pip, that one fills the environment.
        "$python" -m venv --without-pip $venv
    fi
fi

touch $unfinished
rm -f $stamp
if has_module $venv/bin/python pip; then
    pip="$venv/bin/python -m pip"
else
    has_module "${python}" pip || python=$(find_python)
    pip="$python -m pip --python $venv/bin/python"
fi

echo "Installing requirements.lock"
# The lock is complete (`pip check` below says so), so nothing is resolved; Python compiles a module
# when it is first imported, so nothing is compiled here: together 40 s instead of two minutes.
# Wheels only: building a source archive would pull in build tools that no hash covers.
$pip install $pip_options --no-deps --no-compile --require-hashes --only-binary :all: \
    --requirement requirements.lock
# The backend is installed by now, so nothing may be fetched here.
$pip install $pip_options --no-deps --no-compile --no-index --no-build-isolation --editable .
$pip check $pip_options ||
    fail "the packages in $venv do not fit together; try again after: make clean"

describe >$stamp
rm -f $unfinished
echo "Done: $venv/bin/assay"
