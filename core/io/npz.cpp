#include "core/io/npz.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "core/io/safe_text.h"
#include "core/io/sniff.h"

namespace attn {

namespace {

constexpr std::string_view kEnding = ".npy";
constexpr std::string_view kEncrypted = "The file is encrypted; save the archive without a password.";
constexpr zip_uint16_t kFirstDosDate = 1U << 5 | 1U;  // 1 January of year 0, which is 1980
constexpr zip_uint32_t kDeflateLevel = 6;

/// Discards the archive: closing would write, and an archive opened for reading must not change.
struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseFile {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
struct FreeSource {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using OpenFile = std::unique_ptr<zip_file_t, CloseFile>;
using ZipSource = std::unique_ptr<zip_source_t, FreeSource>;

/// libzip's error record, freed with the scope.
class ZipFault {
public:
    ZipFault() { zip_error_init(&error_); }
    ~ZipFault() { zip_error_fini(&error_); }
    ZipFault(const ZipFault&) = delete;
    ZipFault& operator=(const ZipFault&) = delete;

    zip_error_t* get() { return &error_; }
    std::string text() { return zip_error_strerror(&error_); }

private:
    zip_error_t error_;
};

Error npz_error(std::string message, std::string_view name = {}) {
    return {std::move(message), {}, visible_text(name), 0};
}

/// Why a name is not allowed in an archive; nullopt if it is.
std::optional<std::string> refuse_name(std::string_view name) {
    if (name.empty()) return "A file in the archive has no name.";
    if (name.front() == '/' || name.find('\\') != std::string_view::npos || name.find('\0') != std::string_view::npos)
        return fmt::format("The archive holds {}, a name that leads out of it.", in_quotes(name));
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find('/', at), name.size());
        if (name.substr(at, end - at) == "..")
            return fmt::format("The archive holds {}, a name that leads out of it.", in_quotes(name));
        at = end + 1;
    }
    return std::nullopt;
}

std::optional<Error> refuse_names(std::vector<std::string_view> names) {
    for (const std::string_view name : names)
        if (auto refusal = refuse_name(name)) return npz_error(*std::move(refusal));
    std::sort(names.begin(), names.end());
    const auto twin = std::adjacent_find(names.begin(), names.end());
    if (twin == names.end()) return std::nullopt;
    return npz_error(fmt::format("The archive holds {} twice.", in_quotes(*twin)));
}

// --- writing ---------------------------------------------------------------------------------------------------------

std::optional<Error> add_file(zip_t* archive, const NpzFile& file, NpzPacking packing) {
    const auto fail = [&] {
        return npz_error(fmt::format("The archive cannot be made: {}.", zip_strerror(archive)), file.name);
    };
    zip_source_t* const source = zip_source_buffer(archive, file.bytes.data(), file.bytes.size(), 0);
    if (!source) return fail();
    const zip_int64_t index = zip_file_add(archive, file.name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);  // an archive that took it would free it
        return fail();
    }
    const auto at = static_cast<zip_uint64_t>(index);
    const bool stored = packing == NpzPacking::Stored;
    const int packed =
        zip_set_file_compression(archive, at, stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, stored ? 0 : kDeflateLevel);
    if (packed != 0 || zip_file_set_dostime(archive, at, 0, kFirstDosDate, 0) != 0) return fail();
    return std::nullopt;
}

Result<std::string> source_bytes(zip_source_t* source) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0)
        return npz_error("The archive cannot be made: its bytes cannot be read back.");
    std::string out(static_cast<std::size_t>(stat.size), '\0');
    const zip_int64_t read = zip_source_read(source, out.data(), out.size());
    zip_source_close(source);
    if (read < 0 || static_cast<std::size_t>(read) != out.size())
        return npz_error("The archive cannot be made: its bytes cannot be read back.");
    return out;
}

// --- reading ---------------------------------------------------------------------------------------------------------

Result<std::vector<std::string_view>> file_names(zip_t* archive, const NpzLimits& limits) {
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    if (count < 0) return npz_error("The archive cannot be read.");
    if (static_cast<std::size_t>(count) > limits.max_files)
        return npz_error(fmt::format("The archive holds {} files; at most {} are read.", count, limits.max_files));
    std::vector<std::string_view> names;
    for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
        const char* const name = zip_get_name(archive, i, ZIP_FL_ENC_GUESS);
        if (!name) return npz_error("A file in the archive has a name that cannot be read.");
        names.emplace_back(name);
    }
    return names;
}

/// Checks what is declared about a file, before any of it is unpacked.
std::optional<Error> refuse_declared(const zip_stat_t& stat, std::string_view name, std::size_t budget) {
    constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((stat.valid & kNeeded) != kNeeded) return npz_error("The archive does not say how large this file is.", name);
    if (stat.encryption_method != ZIP_EM_NONE)
        return npz_error(std::string(kEncrypted), name);
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
        return npz_error(
            fmt::format("The file is packed by method {}; stored and deflated files are read.", stat.comp_method),
            name);
    if (stat.size > budget)
        return npz_error(
            fmt::format("Unpacked the file would take {} bytes; {} are left of what is read.", stat.size, budget),
            name);
    return std::nullopt;
}

/// Unpacks piece by piece, so that memory grows with the actual data and not with the declared size.
Result<std::string> unpack(zip_t* archive, zip_uint64_t index, std::string_view name, std::size_t budget) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(archive, index, 0, &stat) != 0)
        return npz_error("The file cannot be found in the archive.", name);
    if (auto error = refuse_declared(stat, name, budget)) return *std::move(error);
    const OpenFile file(zip_fopen_index(archive, index, 0));
    if (!file) return npz_error(fmt::format("The file cannot be unpacked: {}.", zip_strerror(archive)), name);
    std::string out;
    std::vector<char> piece(std::size_t{64} << 10);
    for (;;) {
        const zip_int64_t read = zip_fread(file.get(), piece.data(), piece.size());
        // libzip compares the checksum at the end: a changed byte fails here, too.
        if (read < 0) return npz_error(fmt::format("The file is damaged: {}.", zip_file_strerror(file.get())), name);
        if (read == 0) break;
        out.append(piece.data(), static_cast<std::size_t>(read));
        if (out.size() > stat.size) return npz_error("The file is longer than the archive declares.", name);
    }
    if (out.size() != stat.size) return npz_error("The file is shorter than the archive declares.", name);
    return out;
}

/// Finds the first encrypted file, in an archive opened without consistency checks: later versions of libzip report the
/// header of an encrypted file as an inconsistency.
std::optional<Error> refuse_encrypted(std::string_view bytes) {
    ZipFault fault;
    ZipSource source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, fault.get()));
    if (!source) return std::nullopt;
    const Archive archive(zip_open_from_source(source.get(), ZIP_RDONLY, fault.get()));
    if (!archive) return std::nullopt;
    static_cast<void>(source.release());  // the archive owns it from here
    const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
    for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(std::max(count, zip_int64_t{0})); ++i) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        if (zip_stat_index(archive.get(), i, 0, &stat) != 0 || !(stat.valid & ZIP_STAT_ENCRYPTION_METHOD)) continue;
        if (stat.encryption_method != ZIP_EM_NONE)
            return npz_error(std::string(kEncrypted), stat.valid & ZIP_STAT_NAME ? stat.name : "");
    }
    return std::nullopt;
}

Result<Archive> open_archive(std::string_view bytes) {
    if (bytes.empty()) return npz_error("The file is empty.");
    if (!bytes.starts_with("PK")) {
        if (bytes.starts_with("\x93NUMPY"))
            return npz_error("This is a single .npy array, not an .npz archive: name it .npy.");
        if (auto other = recognise_other(bytes, "an .npz archive")) return npz_error(*std::move(other));
        return npz_error("This is not an .npz archive: it does not begin as a ZIP file.");
    }
    ZipFault fault;
    ZipSource source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, fault.get()));
    if (!source) return npz_error(fmt::format("The archive cannot be opened: {}.", fault.text()));
    Archive archive(zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, fault.get()));
    if (!archive) {
        if (auto encrypted = refuse_encrypted(bytes)) return *std::move(encrypted);
        return npz_error(fmt::format("The archive is damaged or cut short: {}.", fault.text()));
    }
    static_cast<void>(source.release());  // the archive owns it from here
    return archive;
}

}  // namespace

Result<std::string> npz_bytes(std::span<const NpzFile> files, NpzPacking packing) {
    std::vector<std::string_view> names;
    for (const NpzFile& file : files) names.push_back(file.name);
    if (auto error = refuse_names(std::move(names))) return *std::move(error);
    if (files.empty()) return npz_error("There is nothing to put into the archive.");  // libzip makes no empty ones
    ZipFault fault;
    const ZipSource source(zip_source_buffer_create(nullptr, 0, 0, fault.get()));
    if (!source) return npz_error(fmt::format("The archive cannot be made: {}.", fault.text()));
    Archive archive(zip_open_from_source(source.get(), ZIP_CREATE | ZIP_TRUNCATE, fault.get()));
    if (!archive) return npz_error(fmt::format("The archive cannot be made: {}.", fault.text()));
    zip_source_keep(source.get());  // one reference for the archive, one for reading it back
    for (const NpzFile& file : files)
        if (auto error = add_file(archive.get(), file, packing)) return *std::move(error);
    if (zip_close(archive.get()) != 0)
        return npz_error(fmt::format("The archive cannot be made: {}.", zip_strerror(archive.get())));
    static_cast<void>(archive.release());  // zip_close freed it
    return source_bytes(source.get());
}

Result<Done> each_npz_file(std::string_view bytes, NpzLimits limits,
                           const std::function<Result<Done>(std::string_view name, const std::string& file)>& take,
                           const std::function<bool(std::string_view name)>& wanted) {
    Result<Archive> archive = open_archive(bytes);
    if (!archive) return archive.error();
    const auto names = file_names(archive->get(), limits);
    if (!names) return names.error();
    if (auto error = refuse_names(*names)) return *std::move(error);
    std::size_t budget = limits.max_unpacked;
    for (std::size_t i = 0; i < names->size(); ++i) {
        const std::string_view name = (*names)[i];
        if (!wanted(name)) continue;
        const Result<std::string> unpacked = unpack(archive->get(), i, name, budget);
        if (!unpacked) return unpacked.error();
        budget -= unpacked->size();
        if (auto done = take(name, *unpacked); !done) return done;
    }
    return Done{};
}

Result<Npz> read_npz(std::string_view bytes, NpzLimits limits) {
    Npz npz;
    const auto take = [&](std::string_view name, const std::string& file) -> Result<Done> {
        Result<NpyArray> array = read_npy(file);
        if (!array) return npz_error(array.error().message, name);
        name.remove_suffix(kEnding.size());
        npz.arrays.push_back({std::string(name), *std::move(array)});
        return Done{};
    };
    const auto wanted = [&](std::string_view name) {
        if (name.ends_with(kEnding)) return true;
        npz.ignored.emplace_back(name);
        return false;
    };
    if (auto done = each_npz_file(bytes, limits, take, wanted); !done) return done.error();
    return npz;
}

}  // namespace attn
