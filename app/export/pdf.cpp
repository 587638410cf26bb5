#include "app/export/pdf.h"

#ifdef ATTN_HAS_RSVG
#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

#include <memory>
#endif

namespace app {

#ifdef ATTN_HAS_RSVG

namespace {

cairo_status_t append(void* out, const unsigned char* bytes, unsigned count) {
    static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

/// Removes the creation date that cairo writes, so that the same picture gives the same bytes. It is replaced by
/// spaces, because the file's cross-reference table counts bytes. (Later versions may compress the line; then it
/// stays.)
void take_date_out(std::string& pdf) {
    constexpr std::string_view kDate = "/CreationDate (";
    const std::size_t begin = pdf.rfind(kDate);
    if (begin == std::string::npos) return;
    const std::size_t end = pdf.find(')', begin);
    if (end != std::string::npos) pdf.replace(begin, end + 1 - begin, end + 1 - begin, ' ');
}

attn::Error failed(const char* why) { return {std::string("the PDF cannot be made: ") + why, "", "", 0}; }

}  // namespace

attn::Result<std::string> pdf_of_svg(std::string_view svg, Size points) {
    GError* error = nullptr;
    const std::unique_ptr<RsvgHandle, void (*)(void*)> page(
        rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error), g_object_unref);
    if (!page) {
        const attn::Error out = failed(error->message);
        g_error_free(error);
        return out;
    }
    std::string out;
    cairo_surface_t* surface = cairo_pdf_surface_create_for_stream(append, &out, double(points.w), double(points.h));
    cairo_t* pen = cairo_create(surface);
    const RsvgRectangle whole{0, 0, double(points.w), double(points.h)};
    const bool drawn = rsvg_handle_render_document(page.get(), pen, &whole, &error);
    cairo_destroy(pen);
    cairo_surface_finish(surface);
    const cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (!drawn) {
        const attn::Error why = failed(error->message);
        g_error_free(error);
        return why;
    }
    if (status != CAIRO_STATUS_SUCCESS) return failed(cairo_status_to_string(status));
    take_date_out(out);
    return out;
}

#else

attn::Result<std::string> pdf_of_svg(std::string_view, Size) {
    return attn::Error{"this build of the program writes no PDF (it was made without librsvg); write a .svg instead", "", "", 0};
}

#endif

}  // namespace app
