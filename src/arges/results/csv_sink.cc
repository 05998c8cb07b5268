#include "arges/results/csv_sink.h"

#include "arges/results/csv_text.h"

namespace arges {

std::filesystem::path CsvSink::sidecar_path(const std::filesystem::path& path) {
  std::filesystem::path sidecar = path;
  sidecar += ".manifest.json";
  return sidecar;
}

CsvSink::CsvSink(const std::filesystem::path& path) : file_(path) {
  if (!file_.is_direct()) sidecar_ = std::make_unique<AtomicFile>(sidecar_path(path));
}

void CsvSink::begin(const ResultLayout& layout) {
  order_.begin(layout.columns.size());
  std::string header = "time";
  for (const Column& column : layout.columns) {
    header += ',';
    header += csv_cell(column.name);
    whole_.push_back(column.type == ValueType::kReal ? 0 : 1);
  }
  header += '\n';
  file_.write(header);
  line_.resize((layout.columns.size() + 1) * (kMaxNumberChars + 1));
  const std::string info = info_.begin(layout);
  if (sidecar_) sidecar_->write(info);
}

void CsvSink::row(double time, std::span<const double> values) {
  order_.row(values.size());
  char* out = write_number(line_.data(), time);
  for (std::size_t i = 0; i < values.size(); ++i) {
    *out++ = ',';
    out = write_number(out, values[i], whole_[i] != 0);
  }
  *out++ = '\n';
  file_.write({line_.data(), static_cast<std::size_t>(out - line_.data())});
}

void CsvSink::event(const EventRecord& record) {
  order_.event();
  if (sidecar_) sidecar_->write(info_.event(record));
}

void CsvSink::finish(const Manifest& manifest) {
  order_.finish();
  if (sidecar_) {
    sidecar_->write(info_.end(manifest));
    // All bytes are with the system before either name appears: a full disk leaves neither.
    sidecar_->flush();
  }
  file_.flush();
  file_.commit();
  if (sidecar_) sidecar_->commit();
}

}  // namespace arges
