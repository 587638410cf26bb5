# cpack runs this on the files before packing them: changes and additions that only Debian needs.
set(epoch "$ENV{SOURCE_DATE_EPOCH}")
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(doc ${usr}/share/doc/attenscope)

# Debian's zsh looks in another folder.
file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)

# One file of licences, and the changes in Debian's form.
file(READ ${doc}/LICENSE license)
string(REGEX REPLACE "^MIT License\n\n(Copyright[^\n]*)\n\n" "" license "${license}")
set(holder "${CMAKE_MATCH_1}")
string(REGEX REPLACE "^Copyright \\(c\\) " "" holder "${holder}")
function(indented out text)
  string(STRIP "${text}" text)
  string(REGEX REPLACE "\n\n+" "\n.\n" text "${text}")
  string(REPLACE "\n" "\n " text " ${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
indented(license "${license}")
file(READ ${doc}/NOTICE.meanings meanings)
indented(meanings "${meanings}")
file(READ ${doc}/NOTICE.language-model language)
indented(language "${language}")
file(WRITE ${doc}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Attenscope

Files: *
Copyright: ${holder}
License: Expat
Comment:
 The table of meanings, which is part of the program:
 .
${meanings}
 .
 The language model, which is part of the program:
 .
${language}

License: Expat
${license}
")
file(REMOVE ${doc}/LICENSE ${doc}/README.md ${doc}/NOTICE.meanings ${doc}/NOTICE.language-model)

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # from SOURCE_DATE_EPOCH if it is set
file(WRITE ${doc}/changelog
"attenscope (${CPACK_PACKAGE_VERSION}) stable; urgency=medium

  * Made from the sources of version ${CPACK_PACKAGE_VERSION}; NEWS has what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")

file(GLOB pages ${usr}/share/man/man1/*.1)
execute_process(COMMAND gzip -9n ${pages} ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE packed LIST_DIRECTORIES true ${usr}/*)
foreach(one IN LISTS packed)
  if(IS_DIRECTORY ${one} OR one MATCHES "/bin/")
    file(CHMOD ${one} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  else()
    file(CHMOD ${one} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endif()
endforeach()
# Every file gets the date of the sources, so that each run gives the same bytes.
if(epoch)
  execute_process(COMMAND find ${usr} -exec touch -h -d @${epoch} {} + COMMAND_ERROR_IS_FATAL ANY)
endif()
