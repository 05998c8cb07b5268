#include "arges/results/hdf5_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "arges/base/error.h"

namespace arges {
namespace {

struct DriverFile {
  H5FD_t base;  // first: the library sees only this
  std::shared_ptr<Hdf5File::State> state;
  haddr_t end_of_allocation = 0;
};

// What a file access list carries: valid while the file is being opened.
struct DriverInfo {
  const std::shared_ptr<Hdf5File::State>* state;
};

DriverFile* driver_file(H5FD_t* file) { return reinterpret_cast<DriverFile*>(file); }
const DriverFile* driver_file(const H5FD_t* file) {
  return reinterpret_cast<const DriverFile*>(file);
}

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (info == nullptr) return nullptr;
  try {
    auto file = std::make_unique<DriverFile>();
    std::memset(&file->base, 0, sizeof file->base);
    file->state = *info->state;
    return &file.release()->base;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

herr_t close_file(H5FD_t* file) {
  delete driver_file(file);
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const auto* left = driver_file(a)->state.get();
  const auto* right = driver_file(b)->state.get();
  if (left == right) return 0;
  return std::less<>()(left, right) ? -1 : 1;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  }
  return 0;
}

haddr_t get_end_of_allocation(const H5FD_t* file, H5FD_mem_t) {
  return driver_file(file)->end_of_allocation;
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  driver_file(file)->end_of_allocation = address;
  return 0;
}

haddr_t get_end_of_file(const H5FD_t* file, H5FD_mem_t) {
  const Hdf5File::State& state = *driver_file(file)->state;
  return state.store != nullptr ? state.store->size() : 0;
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  Hdf5File::State& state = *driver_file(file)->state;
  if (state.store == nullptr || state.error) return -1;
  try {
    state.store->read(address, {static_cast<char*>(buffer), size});
    return 0;
  } catch (...) {
    state.error = std::current_exception();
    return -1;
  }
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size,
                   const void* buffer) {
  Hdf5File::State& state = *driver_file(file)->state;
  if (state.store == nullptr || state.error) return 0;
  try {
    state.store->write(address, {static_cast<const char*>(buffer), size});
  } catch (...) {
    state.error = std::current_exception();
  }
  return 0;
}

// Called before closing: the file is to be as long as what the library has allocated.
herr_t fit_file(H5FD_t* file, hid_t, hbool_t) {
  Hdf5File::State& state = *driver_file(file)->state;
  if (state.store == nullptr || state.error) return 0;
  try {
    const haddr_t wanted = driver_file(file)->end_of_allocation;
    if (wanted != state.store->size()) state.store->resize(wanted);
  } catch (...) {
    state.error = std::current_exception();
  }
  return 0;
}

hid_t register_driver() {
  H5FD_class_t driver;
  std::memset(&driver, 0, sizeof driver);
  driver.name = "arges";
  driver.maxaddr = (haddr_t{1} << 62) - 1;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(DriverInfo);
  driver.open = open_file;
  driver.close = close_file;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = get_end_of_allocation;
  driver.set_eoa = set_end_of_allocation;
  driver.get_eof = get_end_of_file;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = fit_file;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), driver.fl_map);
  return H5FDregister(&driver);
}

// The innermost entry of the library's error stack says most.
herr_t keep_innermost(unsigned depth, const H5E_error2_t* entry, void* text) {
  if (depth == 0 && entry->desc != nullptr) *static_cast<std::string*>(text) = entry->desc;
  return 0;
}

}  // namespace

QuietHdf5::QuietHdf5() {
  static const herr_t no_cleanup_at_exit = H5dont_atexit();
  static_cast<void>(no_cleanup_at_exit);  // fails harmlessly when the library is in use already
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

Hdf5Handle timeless(hid_t property_class) {
  Hdf5Handle options(H5Pcreate(property_class), H5Pclose);
  H5Pset_obj_track_times(options.id(), false);
  return options;
}

Hdf5File::Hdf5File(ByteStore& store, std::string name, Mode mode)
    : name_(std::move(name)), mode_(mode), state_(std::make_shared<State>()) {
  static const hid_t driver = register_driver();
  state_->store = &store;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const DriverInfo info{&state_};
  check(H5Pset_driver(access.id(), driver, &info), "set up");
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), "set up");
  check(H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG), "set up");
  const Hdf5Handle creation = timeless(H5P_FILE_CREATE);
  const hid_t file = mode == Mode::kCreate
                         ? H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, creation.id(), access.id())
                         : H5Fopen(name_.c_str(), H5F_ACC_RDONLY, access.id());
  file_ = Hdf5Handle(file, H5Fclose);
  check(file, "open");
}

Hdf5File::~Hdf5File() {
  // If the library cannot close the file now, it will try at exit, when the store is gone.
  file_.close();
  state_->store = nullptr;
}

void Hdf5File::close() { check(file_.close(), "close"); }

void Hdf5File::fail(const char* action) const {
  if (state_->error) std::rethrow_exception(state_->error);
  std::string reason = "no reason given";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
  if (mode_ == Mode::kRead) {
    throw IoError(
        fmt::format("cannot read '{}': the HDF5 library cannot {}: {}; the file is damaged "
                    "or was not written by Arges",
                    name_, action, reason));
  }
  throw IoError(
      fmt::format("cannot write '{}': the HDF5 library cannot {}: {}", name_, action, reason));
}

}  // namespace arges
