; The installer: installs the archive's folder for the current user (no administrator rights), with a menu entry and an
; uninstaller.
; makensis -DTREE=FOLDER -DVERSION=1.0.0 -DOUT=FILE installer.nsi
Target amd64-unicode
Name "Attenscope"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Attenscope"
SetCompressor /SOLID lzma
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Attenscope"

Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles
LoadLanguageFile "${NSISDIR}\Contrib\Language files\English.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\SimpChinese.nlf"
VIProductVersion "${VERSION}.0"
VIAddVersionKey /LANG=1033 "ProductName" "Attenscope"
VIAddVersionKey /LANG=1033 "FileDescription" "Attenscope"
VIAddVersionKey /LANG=1033 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "LegalCopyright" "The Attenscope authors"

Section
  SetOutPath "$INSTDIR"
  File /r "${TREE}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Attenscope.lnk" "$INSTDIR\attenscope.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Attenscope"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\attenscope.exe"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  ; Removes only what was installed, not files that were added to the folder later.
  Delete "$INSTDIR\attenscope.exe"
  RMDir /r "$INSTDIR\fonts"
  RMDir /r "$INSTDIR\doc"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Attenscope.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
