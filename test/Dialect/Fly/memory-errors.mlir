// RUN: %fly-opt %s -split-input-file -verify-diagnostics

func.func @register_address(%p: !fly.ptr<f32, register>) {
  // expected-error @+1 {{only shared and global pointers have an integer form, found '!fly.ptr<f32, register>'}}
  %0 = fly.ptrtoint(%p) : (!fly.ptr<f32, register>) -> i64
  return
}

// -----

func.func @negative_space(%p: !fly.ptr<f32, global>) {
  // expected-error @+1 {{address space must not be negative or above 16777215, found -1}}
  %0 = fly.to_llvm_ptr(%p) {llvm_address_space = -1 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr
  return
}

// -----

func.func @tuple_offset(%p: !fly.ptr<f32, global>, %o: !fly.int_tuple<(1,2)>) {
  // expected-error @+1 {{a pointer moves by a single integer, found the offset (1,2)}}
  %0 = fly.add_offset(%p, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<(1,2)>) -> !fly.ptr<f32, global>
  return
}

// -----

func.func @basis_offset(%p: !fly.ptr<f32, global>, %o: !fly.int_tuple<1E0>) {
  // expected-error @+1 {{a pointer moves by a single integer, found the offset 1E0}}
  %0 = fly.add_offset(%p, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<1E0>) -> !fly.ptr<f32, global>
  return
}

// -----

func.func @wrong_alignment(%p: !fly.ptr<f32, global, align<16>>, %o: !fly.int_tuple<1>) {
  // expected-error @+1 {{result type: written '!fly.ptr<f32, global, align<16>>', expected '!fly.ptr<f32, global>'; alignment: written 16, expected 4}}
  %0 = fly.add_offset(%p, %o) : (!fly.ptr<f32, global, align<16>>, !fly.int_tuple<1>) -> !fly.ptr<f32, global, align<16>>
  return
}

// -----

func.func @global_alloca(%l: !fly.layout<4:1>) {
  // expected-error @+1 {{expected a register memref, found '!fly.memref<f32, global, 4:1>'}}
  %0 = fly.memref.alloca(%l) : (!fly.layout<4:1>) -> !fly.memref<f32, global, 4:1>
  return
}

// -----

func.func @other_alloca(%l: !fly.layout<4:1>) {
  // expected-error @+1 {{layout 4:1 is not that of the result, 8:1}}
  %0 = fly.memref.alloca(%l) : (!fly.layout<4:1>) -> !fly.memref<f32, register, 8:1>
  return
}

// -----

func.func @composed_vector(%m: !fly.memref<f32, shared, S<1,2,3> o 0 o 8:1>) {
  // expected-error @+1 {{a vector needs a plain layout, found S<1,2,3> o 0 o 8:1}}
  %0 = fly.memref.load_vec(%m) : (!fly.memref<f32, shared, S<1,2,3> o 0 o 8:1>) -> vector<8xf32>
  return
}

// -----

func.func @dynamic_vector(%m: !fly.memref<f32, global, ?:1>) {
  // expected-error @+1 {{a vector needs a static size, found ?:1}}
  %0 = fly.memref.load_vec(%m) : (!fly.memref<f32, global, ?:1>) -> vector<8xf32>
  return
}

// -----

func.func @tuple_base(%x: !fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>) {
  // expected-error @+1 {{a vector needs an integer base, found (0,0)}}
  %0 = fly.memref.load_vec(%x) : (!fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>) -> vector<32xi32>
  return
}

// -----

func.func @short_vector(%v: vector<4xf32>, %m: !fly.memref<f32, register, 8:1>) {
  // expected-error @+1 {{layout 8:1 has 8 elements, the vector 4}}
  fly.memref.store_vec(%v, %m) : (vector<4xf32>, !fly.memref<f32, register, 8:1>) -> ()
  return
}

// -----

func.func @coordinates(%x: !fly.coord_tensor<0, (4,8):(1E0,1E1)>) {
  // expected-error @+1 {{the elements of a vector are integers, found }}
  %0 = fly.memref.load_vec(%x) : (!fly.coord_tensor<0, (4,8):(1E0,1E1)>) -> vector<32xi32>
  return
}

// -----

func.func @composed_store(%v: vector<8xf32>, %m: !fly.memref<f32, shared, S<1,2,3> o 0 o 8:1>) {
  // expected-error @+1 {{a vector needs a plain layout, found S<1,2,3> o 0 o 8:1}}
  fly.memref.store_vec(%v, %m) : (vector<8xf32>, !fly.memref<f32, shared, S<1,2,3> o 0 o 8:1>) -> ()
  return
}

// -----

// What is stored is all elements of the memref: a scalar is one.
func.func @scalar_store(%v: f32, %m: !fly.memref<f32, register, 4:1>) {
  // expected-error @+1 {{layout 4:1 has 4 elements, the scalar 1}}
  fly.memref.store_vec(%v, %m) : (f32, !fly.memref<f32, register, 4:1>) -> ()
  return
}

// -----

func.func @pointer_store(%v: !fly.ptr<f32, global>, %m: !fly.memref<f32, register, 1:1>) {
  // expected-error @+1 {{expected a vector of fixed length or a scalar, of integers or floats, found '!fly.ptr<f32, global>'}}
  fly.memref.store_vec(%v, %m) : (!fly.ptr<f32, global>, !fly.memref<f32, register, 1:1>) -> ()
  return
}

// -----

func.func @matrix_store(%v: vector<2x3xf32>, %m: !fly.memref<f32, register, 4:1>) {
  // expected-error @+1 {{layout 4:1 has 4 elements, the vector 6}}
  fly.memref.store_vec(%v, %m) : (vector<2x3xf32>, !fly.memref<f32, register, 4:1>) -> ()
  return
}

// -----

func.func @scalable_store(%v: vector<[4]xf32>, %m: !fly.memref<f32, register, 4:1>) {
  // expected-error @+1 {{expected a vector of fixed length or a scalar, of integers or floats, found 'vector<[4]xf32>'}}
  fly.memref.store_vec(%v, %m) : (vector<[4]xf32>, !fly.memref<f32, register, 4:1>) -> ()
  return
}

// -----

func.func @wide_store(%v: vector<4xf64>, %m: !fly.memref<f32, register, 4:1>) {
  // expected-error @+1 {{cannot store elements of type 'f64' in a memref of 'f32'}}
  fly.memref.store_vec(%v, %m) : (vector<4xf64>, !fly.memref<f32, register, 4:1>) -> ()
  return
}

// -----

// A coordinate fits the layout that it is looked up in.
func.func @load_coordinate(%m: !fly.memref<f32, global, (4,8):(1,4)>, %c: !fly.int_tuple<(1,2,3)>) {
  // expected-error @+1 {{(1,2,3) does not match the shape (4,8)}}
  %0 = fly.memref.load(%m, %c) : (!fly.memref<f32, global, (4,8):(1,4)>, !fly.int_tuple<(1,2,3)>) -> f32
  return
}

// -----

func.func @store_coordinate(%v: f32, %m: !fly.memref<f32, global, (4,8):(1,4)>, %c: !fly.int_tuple<(1,(2,3))>) {
  // expected-error @+1 {{does not match the shape}}
  fly.memref.store(%v, %m, %c) : (f32, !fly.memref<f32, global, (4,8):(1,4)>, !fly.int_tuple<(1,(2,3))>) -> ()
  return
}
