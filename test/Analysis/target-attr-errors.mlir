// RUN: %fly-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{[FLY-T002]}}
#unknown = #fly.target<"gfx9010">

// -----

// expected-error@+1 {{gfx942}}
#removed = #fly.target<"gfx940">

// -----

// expected-error@+1 {{[FLY-T003]}}
#feature = #fly.target<"gfx1100:xnack+">

// -----

// expected-error@+1 {{[FLY-T003]}}
#twice = #fly.target<"gfx942:xnack+:xnack+">

// -----

// expected-error@+1 {{[FLY-T003]}}
#colon = #fly.target<"gfx942:">

// -----

// expected-error@+1 {{[FLY-T004]}}
#wave = #fly.target<"gfx942", wave = 32>

// -----

// expected-error@+1 {{expected 'wave', 'cumode' or 'abi', found 'waves'}}
#field = #fly.target<"gfx1100", waves = 32>

// -----

// expected-error@+1 {{field 'wave' is given twice}}
#again = #fly.target<"gfx1100", wave = 32, wave = 64>

// -----

// expected-error@+1 {{expected 'false' or 'true' for cumode}}
#flag = #fly.target<"gfx1100", cumode = 1>

// -----

// expected-error@+1 {{expected string}}
#bare = #fly.target<gfx942>
