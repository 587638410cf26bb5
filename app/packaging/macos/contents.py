#!/usr/bin/env python3
"""contents.py CONTENTS ICONS VERSION: writes the icon, the texts and the description of an application for macOS to its
folder CONTENTS. ICONS is a folder with hicolor/SIZExSIZE/apps/attenscope.png."""
import plistlib
import struct
import sys
from pathlib import Path

contents, icons, version = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]

# An icon file is a list of PNG files, each with the type that says its size.
TYPES = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}
parts = []
for size, name in TYPES.items():
    data = (icons / f"hicolor/{size}x{size}/apps/attenscope.png").read_bytes()
    parts.append(name + struct.pack(">I", 8 + len(data)) + data)
body = b"".join(parts)
(contents / "Resources/attenscope.icns").write_bytes(b"icns" + struct.pack(">I", 8 + len(body)) + body)

DESCRIPTION = {"English": "Type a sentence and see attention being computed on it", "Chinese": "输入一句话，看注意力怎样一步步算出来"}
info = {
    "CFBundleIdentifier": "org.attenscope.attenscope",
    "CFBundleName": "Attenscope",
    "CFBundleExecutable": "attenscope",
    "CFBundlePackageType": "APPL",
    "CFBundleInfoDictionaryVersion": "6.0",
    "CFBundleVersion": version,
    "CFBundleShortVersionString": version,
    "CFBundleIconFile": "attenscope",
    "CFBundleDevelopmentRegion": "en",
    "CFBundleLocalizations": ["en", "zh-Hans"],
    "CFBundleGetInfoString": DESCRIPTION["English"],
    "LSApplicationCategoryType": "public.app-category.education",
    "LSMinimumSystemVersion": "13.3",  # the first with the C++ library's to_chars for floating-point numbers
    "NSHighResolutionCapable": True,
    "NSPrincipalClass": "NSApplication",
    "CFBundleURLTypes": [{"CFBundleURLName": "org.attenscope.link", "CFBundleURLSchemes": ["attenscope"], "CFBundleTypeRole": "Viewer"}],
    "CFBundleDocumentTypes": [{
        "CFBundleTypeName": "Attenscope document",
        "CFBundleTypeRole": "Editor",
        "LSHandlerRank": "Alternate",
        "LSItemContentTypes": ["public.json"],
    }],
}
with open(contents / "Info.plist", "wb") as file:
    plistlib.dump(info, file)
(contents / "PkgInfo").write_text("APPL????")
for folder, language in (("en.lproj", "English"), ("zh-Hans.lproj", "Chinese")):
    (contents / "Resources" / folder).mkdir(parents=True, exist_ok=True)
    (contents / "Resources" / folder / "InfoPlist.strings").write_text(f'CFBundleGetInfoString = "{DESCRIPTION[language]}";\n', encoding="utf-8")
