// RUN: %fly-opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect --pass-pipeline='builtin.module(fly-cache-key{target=gfx942 link=no-such-file.bc})' -o /dev/null

gpu.module @unregistered {
  gpu.func @k() kernel {
    // expected-error@+1 {{operation 'no.op' is not registered and cannot be hashed by meaning; allow-opaque=true hashes it as it prints [FLY-K001]}}
    "no.op"() : () -> ()
    gpu.return
  }
}

// -----

gpu.module @resource {
  gpu.func @k() kernel {
    // expected-error@+1 {{the content of resource 'gone' is missing: expected it in the section 'dialect_resources' of the file [FLY-K004]}}
    %x = arith.constant dense_resource<gone> : tensor<1xi32>
    gpu.return
  }
}

// -----

// expected-error@+1 {{file to link 'no-such-file.bc' cannot be read: No such file or directory [FLY-K007]}}
gpu.module @link {
}
