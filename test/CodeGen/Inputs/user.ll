; A file that a user links, and that needs a device library itself.
target triple = "amdgcn-amd-amdhsa"
define double @user(double %x) {
  %y = call double @__ocml_sin_f64(double %x)
  ret double %y
}
declare double @__ocml_sin_f64(double)
