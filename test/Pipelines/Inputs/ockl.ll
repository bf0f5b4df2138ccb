; Stands in for the device library that prints: what a kernel that prints calls.
; LLVM reads text where it reads bitcode.
define i64 @__ockl_printf_begin(i64 %version) {
  ret i64 %version
}

define i64 @__ockl_printf_append_string_n(i64 %desc, ptr %text, i64 %length, i32 %last) {
  call void asm sideeffect "; text $0", "s"(ptr %text)
  ret i64 %desc
}

define i64 @__ockl_printf_append_args(i64 %desc, i32 %count, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i32 %last) {
  call void asm sideeffect "; values $0 $1", "v,v"(i64 %a, i64 %b)
  ret i64 %desc
}
