// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not once: for each vendor whose runtime has these names behind a word of its own. TEAMSAN_VENDOR(name) is `cuda##name` or
// `hip##name`. What is not here is not offered: a sentence of the compiler's names it.

enum TEAMSAN_VENDOR(Error) {
  TEAMSAN_VENDOR(Success) = 0,
  TEAMSAN_VENDOR(ErrorInvalidValue) = 1,
  TEAMSAN_VENDOR(ErrorInvalidDevice) = 101,
  TEAMSAN_VENDOR(ErrorNotReady) = 600
};
using TEAMSAN_VENDOR(Error_t) = TEAMSAN_VENDOR(Error);

inline char const* TEAMSAN_VENDOR(GetErrorName)(TEAMSAN_VENDOR(Error_t) error) {
  switch (error) {
    case TEAMSAN_VENDOR(Success): return "success";
    case TEAMSAN_VENDOR(ErrorInvalidValue): return "invalid value";
    case TEAMSAN_VENDOR(ErrorInvalidDevice): return "invalid device";
    case TEAMSAN_VENDOR(ErrorNotReady): return "not ready";
  }
  return "unknown error";
}
inline char const* TEAMSAN_VENDOR(GetErrorString)(TEAMSAN_VENDOR(Error_t) error) { return TEAMSAN_VENDOR(GetErrorName)(error); }
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(GetLastError)() { return TEAMSAN_VENDOR(Success); }
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(PeekAtLastError)() { return TEAMSAN_VENDOR(Success); }

// Devices: one, the modelled one.
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(GetDeviceCount)(int* count) {
  *count = 1;
  return TEAMSAN_VENDOR(Success);
}
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(GetDevice)(int* device) {
  *device = 0;
  return TEAMSAN_VENDOR(Success);
}
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(SetDevice)(int device) {
  return device == 0 ? TEAMSAN_VENDOR(Success) : TEAMSAN_VENDOR(ErrorInvalidDevice);
}
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(DeviceSynchronize)() {
  teamsan::simt::vendor::fence_all();
  return TEAMSAN_VENDOR(Success);
}
template <class Properties>
TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(GetDeviceProperties)(Properties* properties, int device) {
  if (device != 0) return TEAMSAN_VENDOR(ErrorInvalidDevice);
  *properties = teamsan::simt::device_properties();
  return TEAMSAN_VENDOR(Success);
}

// Memory.
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(MemGetInfo)(std::size_t* free, std::size_t* total) {
  auto const memory = teamsan::simt::vendor::memory();
  *free = memory.free;
  *total = memory.total;
  return TEAMSAN_VENDOR(Success);
}

// Limits are taken note of, and bound nothing here: a lane's stack is --stack-size's.
enum TEAMSAN_VENDOR(Limit) {
  TEAMSAN_VENDOR(LimitStackSize) = 0,
  TEAMSAN_VENDOR(LimitPrintfFifoSize) = 1,
  TEAMSAN_VENDOR(LimitMallocHeapSize) = 2
};
namespace teamsan::simt::vendor {
inline std::size_t limits[3] = {1024, std::size_t{1} << 20, std::size_t{8} << 20};
}
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(DeviceSetLimit)(TEAMSAN_VENDOR(Limit) limit, std::size_t value) {
  if (limit < 0 || limit > 2) return TEAMSAN_VENDOR(ErrorInvalidValue);
  teamsan::simt::vendor::limits[limit] = value;
  return TEAMSAN_VENDOR(Success);
}
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(DeviceGetLimit)(std::size_t* value, TEAMSAN_VENDOR(Limit) limit) {
  if (limit < 0 || limit > 2) return TEAMSAN_VENDOR(ErrorInvalidValue);
  *value = teamsan::simt::vendor::limits[limit];
  return TEAMSAN_VENDOR(Success);
}

// Variables of the device's. One that lies in no constant memory is known as such from its first use here.
enum TEAMSAN_VENDOR(MemcpyKind) {
  TEAMSAN_VENDOR(MemcpyHostToHost) = 0,
  TEAMSAN_VENDOR(MemcpyHostToDevice) = 1,
  TEAMSAN_VENDOR(MemcpyDeviceToHost) = 2,
  TEAMSAN_VENDOR(MemcpyDeviceToDevice) = 3,
  TEAMSAN_VENDOR(MemcpyDefault) = 4
};
template <class Symbol>
TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(GetSymbolAddress)(void** address, Symbol const& symbol) {
  teamsan::simt::vendor::note_variable(&symbol, sizeof(Symbol));
  *address = const_cast<void*>(static_cast<void const*>(&symbol));
  return TEAMSAN_VENDOR(Success);
}
template <class Symbol>
TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(GetSymbolSize)(std::size_t* size, Symbol const&) {
  *size = sizeof(Symbol);
  return TEAMSAN_VENDOR(Success);
}
template <class Symbol>
TEAMSAN_VENDOR(Error_t)
TEAMSAN_VENDOR(MemcpyToSymbol)(Symbol const& symbol, void const* from, std::size_t bytes, std::size_t offset = 0,
                               TEAMSAN_VENDOR(MemcpyKind) = TEAMSAN_VENDOR(MemcpyHostToDevice)) {
  if (offset > sizeof(Symbol) || bytes > sizeof(Symbol) - offset) return TEAMSAN_VENDOR(ErrorInvalidValue);
  void* address = nullptr;
  TEAMSAN_VENDOR(GetSymbolAddress)(&address, symbol);
  teamsan::simt::vendor::copy(static_cast<char*>(address) + offset, from, bytes);
  return TEAMSAN_VENDOR(Success);
}
template <class Symbol>
TEAMSAN_VENDOR(Error_t)
TEAMSAN_VENDOR(MemcpyFromSymbol)(void* to, Symbol const& symbol, std::size_t bytes, std::size_t offset = 0,
                                 TEAMSAN_VENDOR(MemcpyKind) = TEAMSAN_VENDOR(MemcpyDeviceToHost)) {
  if (offset > sizeof(Symbol) || bytes > sizeof(Symbol) - offset) return TEAMSAN_VENDOR(ErrorInvalidValue);
  void* address = nullptr;
  TEAMSAN_VENDOR(GetSymbolAddress)(&address, symbol);
  teamsan::simt::vendor::copy(to, static_cast<char*>(address) + offset, bytes);
  return TEAMSAN_VENDOR(Success);
}

// Streams are instances: 0 is the default one.
using TEAMSAN_VENDOR(Stream_t) = struct TEAMSAN_VENDOR(StreamOfInstance)*;
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(StreamCreate)(TEAMSAN_VENDOR(Stream_t)* stream) {
  *stream = reinterpret_cast<TEAMSAN_VENDOR(Stream_t)>(std::uintptr_t{teamsan::simt::vendor::new_instance()});
  return TEAMSAN_VENDOR(Success);
}
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(StreamCreateWithFlags)(TEAMSAN_VENDOR(Stream_t)* stream, unsigned) {
  return TEAMSAN_VENDOR(StreamCreate)(stream);
}
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(StreamSynchronize)(TEAMSAN_VENDOR(Stream_t) stream) {
  teamsan::simt::vendor::fence(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(stream)));
  return TEAMSAN_VENDOR(Success);
}
inline TEAMSAN_VENDOR(Error_t) TEAMSAN_VENDOR(StreamDestroy)(TEAMSAN_VENDOR(Stream_t) stream) {
  return TEAMSAN_VENDOR(StreamSynchronize)(stream);
}
template <class Symbol>
TEAMSAN_VENDOR(Error_t)
TEAMSAN_VENDOR(MemcpyToSymbolAsync)(Symbol const& symbol, void const* from, std::size_t bytes, std::size_t offset,
                                    TEAMSAN_VENDOR(MemcpyKind) kind, TEAMSAN_VENDOR(Stream_t) = nullptr) {
  return TEAMSAN_VENDOR(MemcpyToSymbol)(symbol, from, bytes, offset, kind);
}
template <class Symbol>
TEAMSAN_VENDOR(Error_t)
TEAMSAN_VENDOR(MemcpyFromSymbolAsync)(void* to, Symbol const& symbol, std::size_t bytes, std::size_t offset,
                                      TEAMSAN_VENDOR(MemcpyKind) kind, TEAMSAN_VENDOR(Stream_t) = nullptr) {
  return TEAMSAN_VENDOR(MemcpyFromSymbol)(to, symbol, bytes, offset, kind);
}
