# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# In a clone:  spack repo add packaging/spack && spack dev-build teamsan@main
from spack.package import *


class Teamsan(CMakePackage):
    """TeamSan is a simulated GPU for Kokkos with a sanitizer inside: it runs unmodified Kokkos programs on the CPU as a GPU
    would, and reports data races, uninitialised reads, barrier divergence and accesses out of bounds."""

    # Built from a clone (dev-build): there is nothing to download.
    manual_download = True
    version("main")

    license("Apache-2.0 WITH LLVM-exception")

    variant("tests", default=False, description="Build the tests")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    generator("ninja")

    # A checked program is a host program; the runtime is linked into it, and so must any Kokkos be.
    depends_on("kokkos@4.5:5.2 +openmp ~cuda ~rocm ~sycl", type=("build", "link", "run"))
    depends_on("intel-tbb", type=("build", "link", "run"))
    depends_on("boost +test", when="+tests")
    depends_on("fmt")
    depends_on("pugixml", type=("build", "link", "run"))
    depends_on("elfutils", type=("build", "link", "run"))
    depends_on("zstd", type=("build", "link", "run"))
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")

    conflicts("%gcc@:10", msg="TeamSan is C++20")
    conflicts("platform=darwin", msg="The runtime is for Linux")

    # teamsan-c++ names the compiler behind it, which during the build is Spack's wrapper: afterwards the real one.
    filter_compiler_wrappers("teamsan-c++", relative_root="bin")

    def cmake_args(self):
        return [
            self.define_from_variant("TEAMSAN_BUILD_TESTS", "tests"),
            self.define("TEAMSAN_BUILD_BENCHMARKS", False),
            self.define("TEAMSAN_INSTALL", True),
        ]
