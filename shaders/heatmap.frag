#version 330 core
// A matrix as colours. Row 0 of the picture's memory is the top. See app/gfx/heatmap.h for what each part means.

uniform sampler2DArray u_values;   // R32F; tile (row, col) of the matrix is layer row * u_tile_columns + col ...
uniform isampler2D u_pages;        // ... or, where u_paged, the layer that texel (col, row) says; -1: not there
uniform bool u_paged;
uniform sampler2D u_ramp;          // kLutSize x 1
uniform ivec2 u_size;              // columns, rows
uniform ivec2 u_tile;              // columns, rows of one tile
uniform int u_tile_columns;        // tiles side by side
uniform ivec2 u_first;             // the cell at the picture's top left corner: whole part ...
uniform vec2 u_fraction;           // ... and the rest, 0 to 1
uniform vec2 u_cells_per_px;
uniform vec2 u_range;              // lo, hi
uniform float u_gap;               // pixels between cells; 0: none
uniform float u_radius;            // pixels
uniform bool u_maximum;            // of the cells in one pixel the one farthest from 0; else their mean
uniform float u_hatch_period;      // pixels
uniform vec3 u_masked_back;
uniform vec3 u_masked_line;
uniform vec3 u_broken_back;
uniform vec3 u_broken_line;

out vec4 o_color;

const int kMaxSamples = 64;        // for each pixel
const int kEvenSamples = 8;        // a side, where there are many along both

// What the cells under one pixel come to.
const int kNumber = 0;
const int kMasked = 1;             // all of them -inf
const int kBroken = 2;             // a NaN or +inf among them

bool is_minus_inf(float v) { return floatBitsToUint(v) == 0xFF800000u; }
// By the bits: compilers may take isnan() to be always false.
bool is_broken(float v) { return (floatBitsToUint(v) & 0x7F800000u) == 0x7F800000u && !is_minus_inf(v); }

float value_at(ivec2 cell) {
    ivec2 tile = cell / u_tile;
    int layer = u_paged ? texelFetch(u_pages, tile, 0).r : tile.y * u_tile_columns + tile.x;
    if (layer < 0) discard;        // what was drawn before, coarser, stays
    return texelFetch(u_values, ivec3(cell - tile * u_tile, layer), 0).r;
}

bool inside(ivec2 cell) { return all(greaterThanEqual(cell, ivec2(0))) && all(lessThan(cell, u_size)); }

// `at` in cells from u_first.
ivec2 cell_of(vec2 at) { return u_first + ivec2(floor(at)); }

// Each pixel is cut evenly into as many samples as cells lie across it (at most kMaxSamples).
int gather(vec2 pixel, out float result, out int count) {
    ivec2 samples = clamp(ivec2(ceil(u_cells_per_px - 1e-4)), ivec2(1), ivec2(kMaxSamples));
    ivec2 few = min(samples, ivec2(kEvenSamples));
    samples = ivec2(min(samples.x, kMaxSamples / few.y), min(samples.y, kMaxSamples / few.x));
    vec2 start = u_fraction + pixel * u_cells_per_px;
    float total = 0.0;
    float highest = 0.0;
    int masked = 0;
    bool broken = false;
    count = 0;
    for (int y = 0; y < samples.y; ++y) {
        for (int x = 0; x < samples.x; ++x) {
            ivec2 cell = cell_of(start + (vec2(x, y) + 0.5) / vec2(samples) * u_cells_per_px);
            if (!inside(cell)) continue;
            float v = value_at(cell);
            if (is_broken(v)) { broken = true; continue; }
            if (is_minus_inf(v)) { ++masked; continue; }
            total += v / float(samples.x * samples.y);   // divided first: the sum must not overflow
            if (count == 0 || abs(v) > abs(highest)) highest = v;
            ++count;
        }
    }
    result = u_maximum ? highest : total * (float(samples.x * samples.y) / float(max(count, 1)));
    if (broken) return kBroken;
    return masked > 0 && count == 0 ? kMasked : kNumber;
}

// The same as position() in app/gfx/palette.cpp.
float position(float v) {
    float span = 0.5 * u_range.y - 0.5 * u_range.x;
    return span > 0.0 ? clamp((0.5 * v - 0.5 * u_range.x) / span, 0.0, 1.0) : 0.5;
}

vec3 ramp(float t) {
    int last = textureSize(u_ramp, 0).x - 1;
    float at = t * float(last);
    int below = min(int(at), last - 1);
    return mix(texelFetch(u_ramp, ivec2(below, 0), 0).rgb, texelFetch(u_ramp, ivec2(below + 1, 0), 0).rgb,
               at - float(below));
}

// Diagonal lines that stay the same on the screen at any zoom.
vec3 hatch(vec2 pixel, vec3 back, vec3 line) {
    float phase = fract((pixel.x + pixel.y) / u_hatch_period) * u_hatch_period;
    float away = min(phase, u_hatch_period - phase) * 0.70710678;   // pixels from the line's middle
    return mix(line, back, clamp(away - 0.1, 0.0, 1.0));
}

// How much of the pixel the cell's rounded box covers. The box's edges lie on whole pixels.
float coverage(vec2 centre, ivec2 cell) {
    vec2 from = (vec2(cell - u_first) - u_fraction) / u_cells_per_px;
    vec2 low = floor(from + 0.5 * u_gap + 0.5);
    vec2 high = floor(from + 1.0 / u_cells_per_px - 0.5 * u_gap + 0.5);
    vec2 box = 0.5 * (high - low);
    float radius = min(u_radius, 0.45 * min(box.x, box.y));
    vec2 d = abs(centre - 0.5 * (low + high)) - (box - radius);
    float away = length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - radius;
    return clamp(0.5 - away, 0.0, 1.0);
}

void main() {
    vec2 pixel = floor(gl_FragCoord.xy);
    vec2 centre = pixel + 0.5;
    float value;
    int count;
    int what = gather(pixel, value, count);
    if (what == kNumber && count == 0) {   // beside the matrix
        o_color = vec4(0.0);
        return;
    }
    vec3 color = what == kNumber   ? ramp(position(value))
                 : what == kMasked ? hatch(centre, u_masked_back, u_masked_line)
                                   : hatch(centre, u_broken_back, u_broken_line);
    bool boxes = u_gap > 0.0 || u_radius > 0.0;
    o_color = vec4(color, boxes ? coverage(centre, cell_of(u_fraction + centre * u_cells_per_px)) : 1.0);
}
