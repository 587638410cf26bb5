#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/cli/animation_plan.h"
#include "app/cli/output.h"
#include "app/cli/render_job.h"
#include "app/export/gif.h"

namespace app {
namespace {

/// Moments per stop that the palette is taken from: motions add no colours.
constexpr int kPaletteMoments = 3;
/// The fraction of the whole work that collecting the colours takes.
constexpr double kPaletteShare = 0.2;
/// More frames take a while, and are announced.
constexpr std::size_t kManyFrames = 200;

attn::Result<attn::Done> collect_colors(const RenderJob& job, GifWriter& gif) {
    const auto stops = static_cast<int>(job.studio.derived().timeline.stops.size());
    for (int stop = 0; stop < stops; ++stop)
        for (int moment = 1; moment <= kPaletteMoments; ++moment) {
            if (job.interrupt.requested()) return attn::Done{};
            tell_progress(job, kPaletteShare * static_cast<double>(stop) / std::max(stops, 1));
            job.studio.show_stop(stop, static_cast<double>(moment) / kPaletteMoments);
            const auto image = job.studio.picture(job.size);
            if (!image) return image.error();
            if (auto added = gif.add_colors(*image); !added) return added;
        }
    return attn::Done{};
}

attn::Result<attn::Done> draw_frames(const RenderJob& job, const AnimationPlan& plan, GifWriter& gif) {
    std::size_t done = 0;
    for (const AnimationFrame& frame : plan.frames) {
        if (job.interrupt.requested()) return attn::Done{};
        tell_progress(job, kPaletteShare + (1 - kPaletteShare) * static_cast<double>(done++) /
                                               static_cast<double>(plan.frames.size()));
        job.studio.show_time(frame.time);
        const auto image = job.studio.frame(job.size);
        if (!image) return image.error();
        if (auto added = gif.add_frame(*image, frame.delay); !added) return added;
    }
    return attn::Done{};
}

}  // namespace

void tell_progress(const RenderJob& job, double share) {
    if (!job.options.tell_progress) return;
    job.streams.out << fmt::format("progress {:.3f}\n", share);
    job.streams.out.flush();
}

Exit render_animation(const RenderJob& job) {
    const GifOptions options{static_cast<int>(job.size.w), static_cast<int>(job.size.h), std::size_t{256} << 20};
    const auto plan = plan_animation(job.studio.derived().timeline, options.width, options.height, job.options.seconds);
    if (!plan) return fail(job.streams, Exit::BadInput, plan.error());
    if (plan->rate < kAnimationRate)
        note(job.streams,
             fmt::format("the walk is long: {:.1f} frames a second instead of {:.0f}", plan->rate, kAnimationRate));
    if (plan->frames.size() > kManyFrames)
        note(job.streams, fmt::format("{} frames of {}x{} are drawn; Ctrl+C stops it and writes nothing",
                                      plan->frames.size(), options.width, options.height));
    job.streams.err.flush();
    job.studio.change_view([](ViewState& view) { view.filming = true; });
    auto gif = make_gif_writer(options);
    if (!gif) return fail(job.streams, Exit::BadInput, gif.error());
    if (const auto done = collect_colors(job, *gif); !done) return fail(job.streams, Exit::Failure, done.error());
    if (const auto done = draw_frames(job, *plan, *gif); !done) return fail(job.streams, Exit::Failure, done.error());
    if (job.interrupt.requested()) return interrupted(job.streams);
    const auto bytes = gif->finish();
    if (!bytes) return fail(job.streams, Exit::Failure, bytes.error());
    return write_output(job.streams, job.options.out, {reinterpret_cast<const char*>(bytes->data()), bytes->size()},
                        Content::Binary);
}

}  // namespace app
