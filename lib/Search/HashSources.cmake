# cmake -DOUTPUT=file -DINPUTS=a.cpp,b.h -P HashSources.cmake
# Writes a hash of all that decides what a search finds and what it costs.
string(REPLACE "," ";" inputs "${INPUTS}")
set(text "")
foreach(input IN LISTS inputs)
  file(SHA256 "${input}" hash)
  string(APPEND text "${hash}\n")
endforeach()
string(SHA256 hash "${text}")
string(SUBSTRING "${hash}" 0 16 hash)
file(WRITE "${OUTPUT}" "\"${hash}\"\n")
