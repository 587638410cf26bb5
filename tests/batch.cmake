# cmake -DOUT=FILE "-DFILES=a_test.cpp|b_test.cpp" -DROOT=DIR -P batch.cmake: writes one file that includes several test
# files. The unnamed namespace of each is renamed after its file, so that equal names in two files do not collide.
string(REPLACE "|" ";" files "${FILES}")
set(content "")
foreach(short ${files})
  file(READ "${ROOT}/${short}" text)
  get_filename_component(name ${short} NAME_WE)
  string(REGEX MATCHALL "\nnamespace {" found "${text}")
  list(LENGTH found count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${short}: one unnamed namespace around its tests is expected, and there are ${count}. "
                        "(Tests are compiled several files at once; -DATTN_UNITY=OFF compiles each by itself.)")
  endif()
  string(REPLACE "\nnamespace {" "\nnamespace in_${name} {" text "${text}")
  string(APPEND content "#line 1 \"${short}\"\n${text}\n")
endforeach()
file(WRITE "${OUT}" "${content}")
