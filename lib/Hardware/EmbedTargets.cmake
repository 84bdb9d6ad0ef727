# cmake -DOUTPUT=file -DINPUTS=a.yaml,b.yaml -P EmbedTargets.cmake
# Writes an initialiser {name, text} per input.
string(REPLACE "," ";" inputs "${INPUTS}")
set(text "")
foreach(input IN LISTS inputs)
  get_filename_component(name "${input}" NAME_WE)
  file(READ "${input}" yaml)
  string(APPEND text "{\"${name}\", R\"YAML(${yaml})YAML\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
