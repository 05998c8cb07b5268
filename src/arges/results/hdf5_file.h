#pragma once
// What the HDF5 sink and reader share: handles that close themselves, errors as exceptions, and a
// file driver of our own. For .cc files only.

#include <hdf5.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace arges {

// Where the bytes of an HDF5 file live. All functions may throw IoError.
class ByteStore {
 public:
  virtual ~ByteStore() = default;
  virtual std::uint64_t size() const = 0;
  virtual void read(std::uint64_t offset, std::span<char> bytes) = 0;
  virtual void write(std::uint64_t offset, std::string_view bytes) = 0;
  virtual void resize(std::uint64_t size) = 0;
};

// While it lives, the HDF5 library does not print its error stack in this thread.
class QuietHdf5 {
 public:
  QuietHdf5();
  ~QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// An HDF5 object that is closed with its owner.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }
  // The close that says whether it worked.
  herr_t close() { return id_ >= 0 ? close_(std::exchange(id_, H5I_INVALID_HID)) : 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  herr_t (*close_)(hid_t) = nullptr;
};

// How to create an object (of the class H5P_DATASET_CREATE, H5P_GROUP_CREATE or H5P_FILE_CREATE)
// without noting the time of day: the same content is the same file.
Hdf5Handle timeless(hid_t property_class);

// An HDF5 file in a ByteStore, through a file driver.
//
// Why not the library's own driver: when a write fails (a full disk), the library keeps the
// unwritten parts, cannot close the file, and tries again at exit. This driver remembers the first
// error of the store, and from then on takes all writes and drops them, so that the file can be
// closed; check() rethrows the store's own IoError, which names the reason.
//
// Files are written in the format of HDF5 1.10, in which all metadata carry checksums: a damaged
// file is found to be so, where the older format can lead the library astray.
//
// The first use of this class in a process keeps the library from cleaning up at exit (unless the
// program used HDF5 before): on its way out of a damaged file the library loses memory, and would
// complain about it when the process ends. Files are closed by their owners.
class Hdf5File {
 public:
  enum class Mode { kCreate, kRead };

  // `name` is for messages only. The store must outlive the file. The caller keeps the library
  // quiet. Throws IoError.
  Hdf5File(ByteStore& store, std::string name, Mode mode);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  hid_t id() const { return file_.id(); }
  // The name given.
  const std::string& name() const { return name_; }

  // Throws IoError when the store failed or `result` (of an HDF5 call) is negative.
  template <class T>
  T check(T result, const char* action) const {
    if (result < 0 || state_->error) fail(action);
    return result;
  }

  // All bytes in the store; only the destructor may follow.
  void close();

  // State shared with the driver, which may hold it longer than this object lives.
  struct State {
    ByteStore* store = nullptr;
    std::exception_ptr error;
  };

 private:
  [[noreturn]] void fail(const char* action) const;

  std::string name_;
  Mode mode_;
  std::shared_ptr<State> state_;
  Hdf5Handle file_;
};

}  // namespace arges
