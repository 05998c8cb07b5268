#include "arges/jit/object_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <vector>

namespace arges::jit {

namespace fs = std::filesystem;

namespace {

constexpr char kMagic[] = "arges-object-1\n";

std::uint64_t checksum(const std::string& bytes) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return h;
}

std::string header(const std::string& object) {
  std::string text = kMagic;
  const std::uint64_t sum = checksum(object), size = object.size();
  text.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  text.append(reinterpret_cast<const char*>(&size), sizeof size);
  return text;
}

}  // namespace

ObjectCache::ObjectCache(std::string folder, std::uint64_t limit)
    : folder_(std::move(folder)), limit_(limit) {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  struct stat info {};
  // Code from a folder that others can write to is not run.
  if (::stat(folder_.c_str(), &info) != 0 || info.st_uid != ::geteuid() ||
      (info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    folder_.clear();
}

std::optional<std::string> ObjectCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(path(key), std::ios::binary);
  if (!file) return std::nullopt;
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t size = sizeof kMagic - 1 + 2 * sizeof(std::uint64_t);
  if (bytes.size() < size) return std::nullopt;
  std::string object = bytes.substr(size);
  if (bytes.compare(0, size, header(object)) != 0) return std::nullopt;
  std::error_code error;
  fs::last_write_time(path(key), fs::file_time_type::clock::now(), error);  // used just now
  return object;
}

void ObjectCache::put(const std::string& key, const std::string& object) const {
  if (folder_.empty()) return;
  static std::atomic<int> number{0};  // of this process: several threads may write
  const std::string beside =
      path(key) + "." + std::to_string(::getpid()) + "." + std::to_string(number++) + ".new";
  std::error_code error;
  {
    std::ofstream file(beside, std::ios::binary);
    file << header(object) << object;
    file.close();
    if (!file) {
      fs::remove(beside, error);
      return;
    }
  }
  fs::rename(beside, path(key), error);
  if (error) fs::remove(beside, error);
}

void ObjectCache::prune() const {
  if (folder_.empty()) return;
  struct File {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t size;
  };
  std::vector<File> files;
  std::uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    const File file{it->path(), it->last_write_time(gone), it->file_size(gone)};
    if (gone) continue;
    // What a process that died left beside.
    if (file.path.extension() == ".new" &&
        fs::file_time_type::clock::now() - file.used > std::chrono::hours(1)) {
      fs::remove(file.path, gone);
      continue;
    }
    if (file.path.extension() != ".o") continue;
    total += file.size;
    files.push_back(file);
  }
  if (total <= limit_) return;
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (total <= limit_ / 4 * 3) break;
    if (fs::remove(file.path, error)) total -= file.size;
  }
}

}  // namespace arges::jit
