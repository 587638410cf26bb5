; The installer: installs the archive's folder for the current user (no administrator rights), with a menu entry, an
; uninstaller, and the program as the one that opens links attenscope:1:… and is offered for documents. (Windows knows only
; the last ending of a name: a document's, .json, belongs to other programs, too, so it is not taken from them.)
; makensis -DTREE=FOLDER -DVERSION=1.0.0 -DOUT=FILE installer.nsi
Target amd64-unicode
Name "Attenscope"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Attenscope"
SetCompressor /SOLID lzma
!define CLASSES "Software\Classes"
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
  WriteRegStr HKCU "${CLASSES}\attenscope" "" "URL:Attenscope"
  WriteRegStr HKCU "${CLASSES}\attenscope" "URL Protocol" ""
  WriteRegStr HKCU "${CLASSES}\attenscope\DefaultIcon" "" "$INSTDIR\attenscope.exe,0"
  WriteRegStr HKCU "${CLASSES}\attenscope\shell\open\command" "" '"$INSTDIR\attenscope.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\Attenscope.Document" "" "Attenscope document"
  WriteRegStr HKCU "${CLASSES}\Attenscope.Document\DefaultIcon" "" "$INSTDIR\attenscope.exe,0"
  WriteRegStr HKCU "${CLASSES}\Attenscope.Document\shell\open\command" "" '"$INSTDIR\attenscope.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\.json\OpenWithProgids" "Attenscope.Document" ""
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)' ; associations have changed
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
  DeleteRegKey HKCU "${CLASSES}\attenscope"
  DeleteRegKey HKCU "${CLASSES}\Attenscope.Document"
  DeleteRegValue HKCU "${CLASSES}\.json\OpenWithProgids" "Attenscope.Document"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
