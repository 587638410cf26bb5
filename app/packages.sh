# shellcheck shell=bash disable=SC2034,SC2154
# The Debian packages that Attenscope needs, how they are installed, and how a build folder is made. Sourced by app/run
# and tests/run, which set `root`.

# To build it. (libegl-dev, libgl-dev and libopengl-dev come with libglfw3-dev on Debian 12, not on later ones.)
build_packages=(
  g++ cmake ninja-build pkg-config python3-glad
  libimgui-dev libglfw3-dev libegl-dev libgl-dev libopengl-dev
  libeigen3-dev nlohmann-json3-dev libfmt-dev libcli11-dev
  libfontconfig-dev libfreetype-dev libpng-dev libjpeg-dev zlib1g-dev libcgif-dev librsvg2-dev libzip-dev libutf8proc-dev libpcre2-dev libtomlplusplus-dev
)
# To run it: OpenGL with a software renderer, and the typefaces that it draws with (Chinese, text, numbers, mathematics,
# signs that the others lack).
run_packages=(
  libgl1 libegl1 libgl1-mesa-dri
  fonts-noto-cjk fonts-inter fonts-jetbrains-mono fonts-stix fonts-dejavu-core
)
# To make the Debian package of it: which libraries it needs, and what is a program.
deb_packages=(dpkg-dev file)
# To make the archive for any Linux: what takes a part of a typeface.
tarball_packages=(python3 fonttools)
# To test it: frameworks, benchmarks, a display without a screen, hands for it, another program that has the clipboard,
# other keyboards, what an input method is made with, those that open what is exported, and those that judge what is installed.
test_packages=(
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev
  xvfb xauth xdotool python3 python3-numpy python3-torch python3-jsonschema locales xclip x11-xkb-utils
  libxcb-imdkit-dev libxcb-keysyms1-dev librsvg2-bin imagemagick
  "${deb_packages[@]}" desktop-file-utils appstream shared-mime-info groff-base
)
# To build and test the module of Python.
python_packages=(pybind11-dev python3-dev python3-numpy)
# To fuzz it: clang 16 (Debian 12's default, 14, cannot compile this library's ranges), or the first later one that the
# system has.
fuzz_clang() {
  local version
  for version in 16 17 18 19 20 21; do
    if command -v "clang++-$version" >/dev/null || apt-cache show "clang-$version" >/dev/null 2>&1; then break; fi
  done
  printf '%s\n' "$version"
}

# Prints those of the packages that are not installed.
missing_packages() {
  local installed package
  # dpkg-query fails where it knows one of them not at all; what it knows it prints all the same.
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    grep -qxF "installed $package" <<<"$installed" || printf '%s\n' "$package"
  done
}

is_debian() {
  command -v apt-get >/dev/null && grep -qE '^(ID=debian|ID_LIKE=.*debian)' /etc/os-release 2>/dev/null
}

# need_packages "to build Attenscope" PACKAGE...: installs what is missing, or says what to install and returns 1.
# ATTENSCOPE_NO_INSTALL=1: what is there is taken as enough, for systems where the packages have other names.
need_packages() {
  local why=$1 missing become=()
  shift
  [[ ${ATTENSCOPE_NO_INSTALL:-} != 1 ]] || return 0
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  if ! is_debian; then
    echo "$why these packages of Debian 12 are needed, or what they are called on this system:"
    echo "  ${missing[*]}"
    echo "Install them, then run this again with ATTENSCOPE_NO_INSTALL=1."
    return 1
  fi >&2
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "$why these packages are needed; install them as root, then run this again:" >&2
      echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
      return 1
    fi
    become=(sudo)
  fi
  echo "$why these packages are needed and will be installed with apt:"
  echo "  ${missing[*]}"
  [[ " ${missing[*]} " != *" fonts-noto-cjk "* ]] || echo "  (fonts-noto-cjk, 91 MB, holds the Chinese characters)"
  apt_get update
  apt_get install -y --no-install-recommends "${missing[@]}"
}

# apt_get ARGUMENT...: apt-get by way of `become`. While another program holds one of apt's locks it waits, and says for
# whom. (DPkg::Lock::Timeout would not do: it leaves out the locks on apt's lists and archives.)
apt_get() {
  local problems waited=0 status lock
  problems=$(mktemp)
  while :; do
    status=0
    "${become[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q "$@" 2>"$problems" || status=$?
    lock=$(grep -m1 -E 'Could not get lock|Unable to acquire the dpkg frontend lock|Unable to lock' -- "$problems" || true)
    if ((status == 0)) || [[ -z $lock ]] || ((waited >= apt_patience)); then break; fi
    ((waited)) || echo "Another program is installing packages; waiting for it: ${lock#E: }" >&2
    sleep "$apt_pause"
    waited=$((waited + apt_pause))
  done
  cat -- "$problems" >&2
  rm -f -- "$problems"
  if ((status)) && [[ -n $lock ]]; then
    echo "The other program still holds it after $((waited / 60)) minutes. Run this again when it has finished." >&2
  fi
  return "$status"
}
apt_patience=1800 apt_pause=3 # seconds

# source_date: SOURCE_DATE_EPOCH, or the date of the last commit: that of all that is packaged.
source_date() { echo "${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date -r "$root/NEWS" +%s)}"; }

# configure FOLDER OPTION...: once, and again only where the folder belongs to another copy of the sources.
configure() {
  local folder=$1 home
  shift
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt" 2>/dev/null || true)
  [[ $home != "$root" || ! -f $folder/build.ninja ]] || return 0
  rm -rf -- "$folder/CMakeCache.txt" "$folder/CMakeFiles"
  local options=("$@")
  if command -v ccache >/dev/null; then
    # Without these it keeps nothing that was compiled with a precompiled header.
    options+=("-DCMAKE_CXX_COMPILER_LAUNCHER=env;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;ccache")
    [[ "${options[*]}" == *CMAKE_CXX_COMPILER=* ]] || options+=(-DCMAKE_CXX_FLAGS=-fpch-preprocess)
  fi
  cmake -S "$root" -B "$folder" -G Ninja "${options[@]}"
}
