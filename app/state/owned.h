#pragma once
// Values that the screens' folders own (owned.inc). Their holder does not know their types, yet can copy and compare
// them like members.

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <utility>

namespace app {

#define VIEW_PART(type) struct type;
#define DERIVED_PART(type) struct type;
#include "app/state/owned.inc"
#undef VIEW_PART
#undef DERIVED_PART

enum ViewPlace : std::size_t {
#define VIEW_PART(type) kViewPlaceOf##type,
#include "app/state/owned.inc"
#undef VIEW_PART
    kViewPlaces
};
enum DerivedPlace : std::size_t {
#define DERIVED_PART(type) kDerivedPlaceOf##type,
#include "app/state/owned.inc"
#undef DERIVED_PART
    kDerivedPlaces
};

/// The index of a part in its list.
template <class T>
inline constexpr std::size_t kPlaceOf = T::is_in_no_list;
#define VIEW_PART(type) \
    template <>         \
    inline constexpr std::size_t kPlaceOf<type> = kViewPlaceOf##type;
#define DERIVED_PART(type) \
    template <>            \
    inline constexpr std::size_t kPlaceOf<type> = kDerivedPlaceOf##type;
#include "app/state/owned.inc"
#undef VIEW_PART
#undef DERIVED_PART

/// One value of each type of a list. A part that was never written equals its default and takes no memory. Copies share
/// a part until one of them is written (copy on write), so do not keep a writable reference across a copy of the
/// holder. A copy of a view may go to another thread, which only reads it, as long as this thread only replaces whole
/// parts; what Derived holds is written in place and stays on its thread.
template <std::size_t kPlaces>
class Owned {
public:
    template <class T>
    const T& get() const {
        const Part* part = parts_[kPlaceOf<T>].get();
        return part ? static_cast<const Of<T>*>(part)->value : Of<T>::usual();
    }
    template <class T>
    T& get() {
        std::shared_ptr<Part>& part = parts_[kPlaceOf<T>];
        if (!part || part.use_count() > 1) part = std::make_shared<Of<T>>(part ? static_cast<const Of<T>&>(*part).value : T{});
        return static_cast<Of<T>&>(*part).value;
    }
    bool operator==(const Owned& other) const {
        for (std::size_t i = 0; i < kPlaces; ++i) {
            const Part *here = parts_[i].get(), *there = other.parts_[i].get();
            if (here != there && !(here ? here->is_same(there) : there->is_same(here))) return false;
        }
        return true;
    }

private:
    struct Part {
        virtual ~Part() = default;
        /// Null: the other part was never written.
        virtual bool is_same(const Part* other) const = 0;
    };
    template <class T>
    struct Of final : Part {
        explicit Of(T from) : value(std::move(from)) {}
        bool is_same(const Part* other) const override {
            if constexpr (std::equality_comparable<T>) return value == (other ? static_cast<const Of*>(other)->value : usual());
            return false;
        }
        static const T& usual() {
            static const T kUsual{};
            return kUsual;
        }
        T value;
    };
    std::array<std::shared_ptr<Part>, kPlaces> parts_;
};

}  // namespace app
