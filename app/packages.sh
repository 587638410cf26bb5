# shellcheck shell=bash disable=SC2034,SC2154
# The Debian packages that Attenscope needs, and functions to install them and to configure a build folder. Sourced by app/run
# and tests/run, which set `root`.

# To build it. (libegl-dev, libgl-dev and libopengl-dev come with libglfw3-dev on Debian 12, not on later ones.)
build_packages=(
  g++ cmake ninja-build pkg-config python3-glad
  libimgui-dev libglfw3-dev libegl-dev libgl-dev libopengl-dev
  libeigen3-dev nlohmann-json3-dev libfmt-dev libcli11-dev
  libfontconfig-dev libfreetype-dev libpng-dev libjpeg-dev zlib1g-dev libcgif-dev librsvg2-dev libzip-dev libutf8proc-dev libpcre2-dev libtomlplusplus-dev
)
# To run it: OpenGL with a software renderer, and its fonts (Chinese, text, numbers, mathematics, symbols that the others
# lack).
run_packages=(
  libgl1 libegl1 libgl1-mesa-dri
  fonts-noto-cjk fonts-inter fonts-jetbrains-mono fonts-stix fonts-dejavu-core
)
# To make its Debian package: tools that find the libraries it needs and its programs.
deb_packages=(dpkg-dev file)
# To make the archive for any Linux: a tool that subsets fonts.
tarball_packages=(python3 fonttools)
# To test it: test and benchmark libraries, a virtual display, tools that type and click, another program for the
# clipboard, other keyboard layouts, an input method, programs that open exported files, and tools that check packages.
test_packages=(
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev
  xvfb xauth xdotool python3 python3-numpy python3-torch python3-jsonschema locales xclip x11-xkb-utils
  libxcb-imdkit-dev libxcb-keysyms1-dev librsvg2-bin imagemagick
  "${deb_packages[@]}" desktop-file-utils appstream shared-mime-info groff-base
)
# To build and test the Python module.
python_packages=(pybind11-dev python3-dev python3-numpy)
# To fuzz it: clang 16 or later, the first that the system has. (Debian 12's default, clang 14, cannot compile the ranges of
# its standard library.)
fuzz_clang() {
  local version
  for version in 16 17 18 19 20 21; do
    if command -v "clang++-$version" >/dev/null || apt-cache show "clang-$version" >/dev/null 2>&1; then break; fi
  done
  printf '%s\n' "$version"
}

# Prints the packages that are not installed.
missing_packages() {
  local installed package
  # dpkg-query fails if one package is unknown, but still prints the others.
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    grep -qxF "installed $package" <<<"$installed" || printf '%s\n' "$package"
  done
}

is_debian() {
  command -v apt-get >/dev/null && grep -qE '^(ID=debian|ID_LIKE=.*debian)' /etc/os-release 2>/dev/null
}

# need_packages "to build Attenscope" PACKAGE...: installs missing packages, or says which to install and returns 1.
# ATTENSCOPE_NO_INSTALL=1 skips this, for systems where the packages have other names.
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

# apt_get ARGUMENT...: apt-get through `become`. While another program holds one of apt's locks, it waits and names that
# program. (DPkg::Lock::Timeout is not enough: it does not cover the locks on apt's lists and archives.)
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

# source_date: the date of all packaged files: SOURCE_DATE_EPOCH, or else the date of the last commit.
source_date() { echo "${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date -r "$root/NEWS" +%s)}"; }

# configure FOLDER OPTION...: runs CMake once, and again only if the folder belongs to another copy of the sources.
configure() {
  local folder=$1 home
  shift
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt" 2>/dev/null || true)
  [[ $home != "$root" || ! -f $folder/build.ninja ]] || return 0
  rm -rf -- "$folder/CMakeCache.txt" "$folder/CMakeFiles"
  local options=("$@")
  if command -v ccache >/dev/null; then
    # Without these, ccache does not store files compiled with a precompiled header.
    options+=("-DCMAKE_CXX_COMPILER_LAUNCHER=env;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;ccache")
    [[ "${options[*]}" == *CMAKE_CXX_COMPILER=* ]] || options+=(-DCMAKE_CXX_FLAGS=-fpch-preprocess)
  fi
  cmake -S "$root" -B "$folder" -G Ninja "${options[@]}"
}
