# GoogleTest binaries (`…Tests`) below build/test/unit, one lit test a case.

import lit.formats

config.name = "Fly-Unit"
config.suffixes = []
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.environment["FLY_SOURCE_DIR"] = config.fly_source_dir
# As in the shell tests.
config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"
