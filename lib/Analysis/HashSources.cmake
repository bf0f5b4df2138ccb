# cmake -DROOT=... -DOUTPUT=... -DARCHIVES=a;b -P HashSources.cmake
#
# Writes the identity of what is built here into a file that Toolchain.cpp
# includes: a digest of the sources that decide what is compiled, and one of
# lld's archives. Sources count by their path below ROOT and their content, so
# that the same sources elsewhere have the same digest. OUTPUT.d lists them in
# make's syntax.

set(layers Support Layout Target Dialect Conversion Analysis CodeGen Pipelines)
set(files "")
foreach(layer ${layers})
  foreach(part include/fly lib)
    file(GLOB_RECURSE found RELATIVE ${ROOT}
      ${ROOT}/${part}/${layer}/*.h ${ROOT}/${part}/${layer}/*.td
      ${ROOT}/${part}/${layer}/*.cpp)
    list(APPEND files ${found})
  endforeach()
endforeach()
list(SORT files)
set(listing "")
foreach(file ${files})
  file(SHA256 ${ROOT}/${file} digest)
  string(APPEND listing "${digest} ${file}\n")
endforeach()
string(SHA256 sources "${listing}")

set(listing "")
foreach(archive ${ARCHIVES})
  get_filename_component(name ${archive} NAME)
  file(SHA256 ${archive} digest)
  string(APPEND listing "${digest} ${name}\n")
endforeach()
string(SHA256 linker "${listing}")

set(text "// Made by HashSources.cmake.\n")
string(APPEND text "static constexpr char sourcesDigest[] =\n    \"${sources}\";\n")
string(APPEND text "static constexpr char linkerDigest[] =\n    \"${linker}\";\n")
file(WRITE ${OUTPUT} "${text}")

set(text "${OUTPUT}:")
foreach(file ${files})
  string(APPEND text " \\\n  ${ROOT}/${file}")
endforeach()
file(WRITE ${OUTPUT}.d "${text}\n")
