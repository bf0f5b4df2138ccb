# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random attributes and types of the dialects `fly` and `fly_rocdl`, as text.

In goes a random.Random and a wildness from 0 to 1: the share of choices that
ignore what fits together. Out comes text that is well formed nearly always and
makes sense often: strides that are congruent and injective, tiles that divide,
coordinates of a layout. A tree is a leaf (str) or a list of trees.

    Grammar(random.Random(1), 0.1).layout()  ->  (["4", ["2", "?"]], ["1", ["8", "4"]])
    text(["4", ["2", "?"]])                  ->  "(4,(2,?))"
"""

EXTREMES = (
    "0 -1 -4 * ?{i64} ?{i64_div=8} ?{div=9223372036854775807} 9223372036854775807 "
    "-9223372036854775808 4294967296 2147483648 1000003 1E0 2E1 -3E0 ?E0 ?{i64}E1 "
    "3E0E1 0E2 5E0E0E0 9223372036854775807E1 1E63"
).split()
EXTREMES = [leaf.replace("_", " ") for leaf in EXTREMES]
ELEMENTS = (
    "f16 bf16 f32 f64 i1 i4 i8 i16 i32 i64 ui8 si8 f8E4M3FN f8E5M2 f8E4M3FNUZ "
    "f8E5M2FNUZ f4E2M1FN f6E2M3FN f6E3M2FN f8E8M0FNU"
).split()
ODD_ELEMENTS = (
    "index none i12 i24 i0 i128 i16777215 f80 f128 tf32 vector<4xf32> vector<0xf32> "
    "vector<[4]xf32> tuple<> complex<f32> tensor<?xf32> memref<4xf32> !llvm.ptr<3> "
    "!llvm.struct<()> !fly.layout<4:1> !fly.ptr<f32,global> !gpu.async.token "
    "(i32)->i32 !fly_rocdl.cdna3.buffer_copy<32>"
).split()
SPACES = ["global", "shared", "register", "generic", "#fly_rocdl.buffer_desc"]
ODD_SPACES = [
    "3",
    "3 : i32",
    '"here"',
    "unit",
    "#fly<address_space shared>",
    "#gpu.address_space<workgroup>",
    "array<i32: 1>",
    "[]",
    "{}",
    "globl",
]
MMA_FORMS = [
    "cdna3.mfma<{m}x{n}x{k}, ({a}, {b}) -> {c}>",
    "gfx11.wmma<{m}x{n}x{k}, ({a}, {b}) -> {c}, {flags}>",
    "gfx120x.wmma<{m}x{n}x{k}, ({a}, {b}) -> {c}, {flags}>",
    "gfx1250.wmma<{m}x{n}x{k}, ({a}, {b}) -> {c}, {flags}>",
    "cdna4.mfma_scale<{m}x{n}x{k}, ({a}, {b}) -> {c}, opselA = {o}, opselB = {p}>",
    "gfx1250.wmma_scale<{m}x{n}x{k}, ({a}, {b}) -> {c}, opselA = {o}, opselB = {p}, "
    "modC = {q}, reuseA = {f}, reuseB = {g}, blockSize = {s}>",
]
FLAGS = "signA = false, signB = false, clamp = false"
# Matrix atoms that exist, for everything built on top of them.
MMA_ATOMS = [
    "!fly.universal_fma<1x1x1, (f32, f32) -> f32>",
    "!fly.universal_fma<1x1x1, (f16, f16) -> f16>",
    "!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>",
    "!fly_rocdl.cdna3.mfma<32x32x8, (bf16, bf16) -> f32>",
    "!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>",
    "!fly_rocdl.cdna3.mfma<16x16x32, (i8, i8) -> i32>",
    "!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FN, f4E2M1FN) -> f32, "
    "opselA = 0, opselB = 3>",
    f"!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f32, {FLAGS}>",
    f"!fly_rocdl.gfx120x.wmma<16x16x16, (bf16, bf16) -> f32, {FLAGS}>",
    f"!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, {FLAGS}>",
]
STATEFUL_COPIES = [
    "!fly_rocdl.cdna3.buffer_copy<{bits}>",
    "!fly_rocdl.cdna3.buffer_copy<{bits}, cache = 2>",
    "!fly_rocdl.cdna3.buffer_copy_lds<{bits}>",
    "!fly_rocdl.cdna4.buffer_load_async_lds<{bits}>",
]


def text(tree):
    if isinstance(tree, str):
        return tree
    return f"({','.join(text(child) for child in tree)})"


def leaves(tree):
    if isinstance(tree, str):
        return [tree]
    return [leaf for child in tree for leaf in leaves(child)]


def refill(tree, new_leaves):
    """The same tree with other leaves, taken from the iterator `new_leaves`."""
    if isinstance(tree, str):
        return next(new_leaves)
    return [refill(child, new_leaves) for child in tree]


def value(leaf):
    """The number of a static leaf, or 0."""
    return int(leaf) if leaf.lstrip("-").isdigit() else 0


def layout_text(pair):
    return f"{text(pair[0])}:{text(pair[1])}"


class Grammar:
    def __init__(self, rng, wildness):
        self.rng = rng
        self.wildness = wildness

    def wild(self):
        return self.rng.random() < self.wildness

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, *choices):
        return self.rng.choice(choices)

    # Leaves, tuples, layouts.

    def extent(self):
        if self.wild():
            return self.pick(*EXTREMES)
        if self.chance(0.12):
            return self.pick("?", "?", "?{div=4}", "?{i64}", "?{i64 div=8}", "?{div=6}")
        return self.pick(*"1 2 2 3 4 4 5 6 8 8 12 16 32 64".split())

    def skeleton(self, depth=0):
        """A tree of empty leaves."""
        if depth > self.pick(0, 0, 1, 1, 2) or self.chance(0.2 if depth == 0 else 0.6):
            return ""
        return [self.skeleton(depth + 1) for _ in range(self.pick(1, 2, 2, 2, 3))]

    def fill(self, tree, make):
        if isinstance(tree, str):
            return make()
        return [self.fill(child, make) for child in tree]

    def int_tuple(self):
        if self.wild() and self.chance(0.1):
            deep = self.extent()
            for _ in range(self.rng.randrange(70)):
                deep = [deep]
            return deep
        return self.fill(self.skeleton(), self.extent)

    def basis_strides(self, tree, path=()):
        if isinstance(tree, str):
            factor = self.pick("1", "1", "1", "2", "4", "?")
            return factor + "".join(f"E{i}" for i in path or (0,))
        return [self.basis_strides(c, path + (i,)) for i, c in enumerate(tree)]

    def strides_of(self, shape):
        """Congruent strides, injective mostly: compact in a random order, with gaps."""
        style = self.rng.random()
        if style < 0.08:
            return self.basis_strides(shape)
        sizes = leaves(shape)
        order = list(range(len(sizes)))
        if style < 0.6:
            self.rng.shuffle(order)
        strides, running = [""] * len(sizes), self.pick(1, 1, 1, 1, 2, 4)
        for i in order:
            if self.wild():
                strides[i] = self.pick(*EXTREMES)
            elif self.chance(0.06):
                strides[i] = self.pick("0", "0", "?", "?{div=4}", "?{i64 div=16}")
            else:
                strides[i] = str(running)
                running *= abs(value(sizes[i])) or self.pick(8, 64)
                running *= self.pick(1, 1, 1, 1, 1, 1, 2, 3)
                running %= 1 << 40
        return refill(shape, iter(strides))

    def layout(self):
        shape = self.int_tuple()
        if self.wild() and self.chance(0.2):
            return shape, self.int_tuple()
        return shape, self.strides_of(shape)

    def swizzle(self):
        numbers = [self.pick(0, 1, 2, 3), self.pick(0, 1, 3, 4), self.pick(0, 1, 2, 3, 5)]
        if self.wild():
            numbers[self.rng.randrange(3)] = self.pick(-1, 31, 32, 64, 2147483647, -(2**63))
        return f"S<{','.join(map(str, numbers))}>"

    def coord_swizzle(self):
        paths = ["0", "1"] if not self.wild() else ["", "0", "1, 0", "0, 0, 0", "2", "-1"]
        numbers = [self.pick(0, 1, 2, 3), self.pick(0, 1, 2), self.pick(0, 1, 2)]
        if self.wild():
            numbers[self.rng.randrange(3)] = self.pick(-1, 30, 31, 64, 2147483648)
        first, second = self.pick(*paths), self.pick(*paths)
        return f"CS<{numbers[0]},{numbers[1]},[{first}],{numbers[2]},[{second}]>"

    def composed(self, depth=0):
        if self.chance(0.12):
            shape = [self.extent(), self.extent()]
            outer = layout_text((shape, self.basis_strides(shape)))
            return f"{self.coord_swizzle()} o ({self.extent()},0) o {outer}"
        head = self.swizzle() if self.chance(0.7) else layout_text(self.layout())
        if depth < 3 and self.chance(0.15):
            head = self.composed(depth + 1)
        outer = layout_text(self.layout())
        if depth < 3 and self.chance(0.15):
            outer = f"[{self.composed(depth + 1)}]"
        offset = self.pick("0", "0", "8", "16", "?", "?{div=8}", "?{i64}")
        if self.wild():
            offset = text(self.int_tuple())
        return f"{head} o {offset} o {outer}"

    def any_layout(self):
        return self.composed() if self.chance(0.25) else layout_text(self.layout())

    def tile(self, depth=0):
        if depth > 1 or self.chance(0.25 if depth == 0 else 0.8):
            if self.wild():
                return self.pick("?", "0", "-1", "4:?", "4:1E0", "9223372036854775807", "(2,3):1")
            if self.chance(0.15):
                return self.pick("*", "2:1", "4:2", "2:4", "(2,2):(1,4)", "4:0", "1:0")
            return self.pick("1", "2", "2", "4", "4", "8", "16", "3")
        count = self.pick(1, 2, 2, 2, 3)
        return f"[{'|'.join(self.tile(depth + 1) for _ in range(count))}]"

    def coordinate(self, shape, kept=0.0):
        """A coordinate of the shape; each mode is kept (`*`) with that chance."""
        if self.wild():
            return self.int_tuple()
        if isinstance(shape, str) or self.chance(0.3):
            if self.chance(kept):
                return "*"
            return self.pick("0", "0", "1", "2", "3", "?", "?{div=4}", "?{i64 div=2}")
        return [self.coordinate(child, kept) for child in shape]

    # Elements, pointers.

    def element(self):
        return self.pick(*ODD_ELEMENTS) if self.wild() else self.pick(*ELEMENTS)

    def space(self):
        return self.pick(*ODD_SPACES) if self.wild() else self.pick(*SPACES)

    def pointer_tail(self):
        if self.wild():
            return self.pick(", align<0>", ", align<-2>", ", align<3>", ", align<2147483648>", ", S<1,2>")
        alignment = self.pick("", "", "", "", ", align<16>", ", align<8>", ", align<24>", ", align<1024>")
        return alignment + (f", {self.swizzle()}" if self.chance(0.08) else "")

    def ptr(self):
        return f"!fly.ptr<{self.element()}, {self.space()}{self.pointer_tail()}>"

    def memref_of(self, layout, element=None, space=None):
        element, space = element or self.element(), space or self.space()
        return f"!fly.memref<{element}, {space}, {layout}{self.pointer_tail()}>"

    def memref(self):
        return self.memref_of(self.any_layout())

    def coord_tensor(self):
        shape = self.fill(self.pick("", ["", ""], ["", "", ""]), self.extent)
        if self.wild():
            return f"!fly.coord_tensor<{text(self.int_tuple())}, {self.any_layout()}>"
        if isinstance(shape, str):
            return f"!fly.coord_tensor<{self.pick('0', '5', '?')}, {shape}:{self.pick('1', '2', '4')}>"
        base = refill(shape, iter([self.pick("0", "0", "4", "?") for _ in shape]))
        layout = layout_text((shape, self.basis_strides(shape)))
        return f"!fly.coord_tensor<{text(base)}, {layout}>"

    # Atoms.

    def copy_op(self):
        bits = self.pick(8, 16, 32, 64, 128)
        if self.wild():
            bits = self.pick(0, -8, 7, 96, 256, 2147483647, 2147483648)
        operation = self.pick("add", "max", "min", "and", "or", "inc", "dec")
        trans = self.pick("4b, 64", "8b, 64", "6b, 96", "16b, 64", "16b, 32", "0b, 64", "b")
        return self.pick(
            f"!fly.universal_copy<{bits}>",
            f"!fly.universal_copy<{bits}>",
            f"!fly.universal_copy<{bits}>",
            f'!fly.universal_atomic<{operation}, {self.element()}{self.pick("", "", ", %agent%")}>',
            f"!fly_rocdl.cdna3.buffer_atomic<{operation}, {self.element()}>",
            f"!fly_rocdl.cdna4.lds_read_trans<trans = {trans}>",
            f"!fly_rocdl.cdna4.global_load_async_lds<{bits}>",
            self.tdm(),
            self.pick(*STATEFUL_COPIES).format(bits=bits),
        ).replace("%", '"')

    def tdm(self):
        rank, warps = self.pick(1, 2, 3, 5), self.pick(1, 2, 4, 8)
        pad = self.pick("0, 0", "0, 0", "64, 8", "32, 4")
        if self.wild():
            rank, warps = self.pick(0, -1, 6), self.pick(0, 3, -4, 1073741824)
            pad = self.pick("64, 0", "-1, 1", "3, 1", "1073741824, 2147483647")
        return (
            f"!fly_rocdl.gfx1250.tdm<rank = {rank}, warps = {warps}, pad = {pad}, "
            f"cache = 0, barrier = false, timeout = false>"
        )

    def copy_atom(self):
        bits = self.pick(8, 16, 32) if not self.wild() else self.pick(0, -1, 4, 7, 2147483647)
        operation = self.pick("i32", "index") if self.wild() else self.copy_op()
        return f"!fly.copy_atom<{operation}, {bits}>"

    def mma_op(self):
        if not self.wild() and self.chance(0.7):
            return self.pick(*MMA_ATOMS)
        element = self.element()
        fields = dict(m=self.pick(4, 16, 16, 32, 0), n=self.pick(16, 16, 32), a=element)
        fields.update(k=self.pick(4, 8, 16, 32, 64, 128), b=self.pick(element, element, "f16"))
        fields.update(c=self.pick("f32", "f32", "i32", self.element()), q=self.pick(0, 1, -1))
        fields.update(o=self.pick(0, 1, 2, 4), p=self.pick(0, 1, -1), s=self.pick(16, 32, 8))
        fields.update(f=self.pick("true", "false"), g=self.pick("true", "false", "1"))
        flags = FLAGS if self.chance(0.7) else FLAGS.replace("false", "true")
        return "!fly_rocdl." + self.pick(*MMA_FORMS).format(flags=flags, **fields)

    def mma_atom(self):
        return f"!fly.mma_atom<{self.pick('i32', 'index') if self.wild() else self.mma_op()}>"

    def bit_layout(self, exponents):
        """A mode of extents 2 over the given powers of two, coalesced now and then."""
        if not exponents:
            return "1", "0"
        shape, stride = [2], [1 << exponents[0]]
        for exponent in exponents[1:]:
            if shape[-1] * stride[-1] == 1 << exponent and self.chance(0.8):
                shape[-1] *= 2
            else:
                shape.append(2)
                stride.append(1 << exponent)
        if len(shape) == 1:
            return str(shape[0]), str(stride[0])
        return [str(s) for s in shape], [str(d) for d in stride]

    def tiled_copy_parts(self):
        """The op, the bits of a value, threads, layout and tile that fit each other."""
        bits = self.pick(8, 16, 32)
        values = self.pick(0, 1, 2, 3)
        m, n = values + self.pick(0, 1, 2), self.pick(0, 1, 2, 3)
        exponents = list(range(m + n))
        held = exponents[: values + self.pick(0, 0, 1)]
        rest = exponents[len(held) :]
        if self.chance(0.4):
            self.rng.shuffle(rest)
        threads = self.bit_layout(rest)
        kept = self.bit_layout(held)
        tv = [threads[0], kept[0]], [threads[1], kept[1]]
        return bits << values, bits, tv, (1 << m, 1 << n)

    def tiled_copy(self):
        if self.wild():
            return f"!fly.tiled_copy<{self.copy_atom()}, <{layout_text(self.layout())}>, <{self.tile()}>>"
        width, bits, tv, (m, n) = self.tiled_copy_parts()
        width, bits = min(width, 128), bits if width <= 128 else bits // 2
        operation = f"!fly.universal_copy<{width}>"
        if self.chance(0.3):
            operation = f"!fly_rocdl.cdna3.buffer_copy<{width}>"
        tile = f"[{m}|{n}]" if self.chance(0.9) else f"{m * n}"
        atom = f"!fly.copy_atom<{operation}, {bits}>"
        return f"!fly.tiled_copy<{atom}, !fly.layout<{layout_text(tv)}>, !fly.tile<{tile}>>"

    def tiled_mma(self):
        if self.wild():
            return f"!fly.tiled_mma<{self.mma_atom()}, <{layout_text(self.layout())}>, <{self.tile()}>>"
        a, b = self.pick(1, 1, 2, 4), self.pick(1, 1, 2)
        tail = self.pick("", "", ", !fly.tile<[*|*]>", ", !fly.tile<[32|*|*]>", ", !fly.tile<[*|32|32]>")
        atom = f"!fly.mma_atom<{self.pick(*MMA_ATOMS)}>"
        return f"!fly.tiled_mma<{atom}, !fly.layout<({a},{b},1):(1,{a},0)>{tail}>"

    # Types by mnemonic, and attributes that stand alone.

    def type_of(self, kind):
        makers = {
            "int_tuple": lambda: f"!fly.int_tuple<{text(self.int_tuple())}>",
            "layout": lambda: f"!fly.layout<{layout_text(self.layout())}>",
            "composed_layout": lambda: f"!fly.composed_layout<{self.composed()}>",
            "swizzle": lambda: f"!fly.swizzle<{self.swizzle()}>",
            "coord_swizzle": lambda: f"!fly.coord_swizzle<{self.coord_swizzle()}>",
            "tile": lambda: f"!fly.tile<{self.tile()}>",
            "basis": lambda: f"!fly.basis<{self.pick('1', '4', '?', '-2')}E{self.pick('0', '1', '2E0')}>",
            "i1": lambda: "i1",
            "i32": lambda: "i32",
            "i64": lambda: "i64",
        }
        return makers[kind]() if kind in makers else getattr(self, kind)()

    KINDS = (
        "int_tuple layout composed_layout swizzle coord_swizzle tile basis ptr memref "
        "coord_tensor copy_atom mma_atom tiled_copy tiled_mma copy_op mma_op i32 i64"
    ).split()

    def any_type(self):
        if self.chance(0.15):
            return self.pick(*ELEMENTS, *ODD_ELEMENTS, "vector<4xf32>", "vector<8xf16>")
        return self.type_of(self.pick(*self.KINDS))

    def attribute(self):
        """An attribute of any kind, ours mostly."""
        return self.pick(
            lambda: f"#fly<int_tuple {text(self.int_tuple())}>",
            lambda: f"#fly<layout {layout_text(self.layout())}>",
            lambda: f"#fly<composed_layout {self.composed()}>",
            lambda: f"#fly<swizzle {self.swizzle()}>",
            lambda: f"#fly<coord_swizzle {self.coord_swizzle()}>",
            lambda: f"#fly<tile {self.tile()}>",
            lambda: f"#fly<int {self.extent()}>",
            lambda: f"#fly<basis {self.extent()}E{self.pick('0', '1E2', 'x', '')}>",
            lambda: f"#fly<align align<{self.pick(1, 16, 0, -4)}>>",
            lambda: f"#fly<mma_operand {self.pick(*'abcde')}>",
            lambda: f"#fly<gemm_traversal_order {self.pick('kmn', 'mnk_serpentine', 'mmm')}>",
            lambda: f"#fly<atomic_op {self.pick('add', 'dec', 'xor')}>",
            lambda: f"#fly<cache_policy {self.pick('cache_global', 'none')}>",
            lambda: f"#fly<address_space {self.pick('shared', 'local')}>",
            lambda: self.pick("#fly.explicit_module", "#fly_rocdl.buffer_desc"),
            lambda: f'#fly.target<"{self.pick("gfx942", "gfx1201", "gfx9", "")}">',
            lambda: self.any_type(),
            lambda: self.pick("unit", "true", "3 : i32", '"x"', "array<i32: 1, 2>", "-1 : i64"),
        )()
