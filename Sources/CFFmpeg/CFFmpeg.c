#include "CFFmpeg.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/dovi_meta.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/stereo3d.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// LIBAVCODEC 60.31 is FFmpeg 6.1, where stream side data moved to the codec parameters.
#define PRISM_CODED_SIDE_DATA (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100))

int prism_http_status(int code) {
    if (code == AVERROR_HTTP_BAD_REQUEST) return 400;
    if (code == AVERROR_HTTP_UNAUTHORIZED) return 401;
    if (code == AVERROR_HTTP_FORBIDDEN) return 403;
    if (code == AVERROR_HTTP_NOT_FOUND) return 404;
#ifdef AVERROR_HTTP_TOO_MANY_REQUESTS
    if (code == AVERROR_HTTP_TOO_MANY_REQUESTS) return 429;
#endif
    if (code == AVERROR_HTTP_OTHER_4XX) return 400;
    if (code == AVERROR_HTTP_SERVER_ERROR) return 500;
    return 0;
}

const uint8_t *prism_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
    *size = 0;
#if PRISM_CODED_SIDE_DATA
    const AVPacketSideData *entry = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    if (!entry) return NULL;
    *size = entry->size;
    return entry->data;
#else
    for (int i = 0; i < stream->nb_side_data; i++) {
        if (stream->side_data[i].type == type) {
            *size = stream->side_data[i].size;
            return stream->side_data[i].data;
        }
    }
    return NULL;
#endif
}

const uint8_t *prism_packet_side_data(const AVPacket *packet, enum AVPacketSideDataType type, size_t *size) {
    *size = 0;
    for (int i = 0; i < packet->side_data_elems; i++) {
        if (packet->side_data[i].type == type) {
            *size = packet->side_data[i].size;
            return packet->side_data[i].data;
        }
    }
    return NULL;
}

PrismDolbyVision prism_dolby_vision(const AVStream *stream) {
    PrismDolbyVision out = {0};
    size_t size;
    const uint8_t *data = prism_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size);
    if (!data || size < offsetof(AVDOVIDecoderConfigurationRecord, dv_bl_signal_compatibility_id) + 1) return out;
    const AVDOVIDecoderConfigurationRecord *record = (const void *)data;
    out.present = 1;
    out.version_major = record->dv_version_major;
    out.version_minor = record->dv_version_minor;
    out.profile = record->dv_profile;
    out.level = record->dv_level;
    out.rpu_present = record->rpu_present_flag;
    out.el_present = record->el_present_flag;
    out.bl_present = record->bl_present_flag;
    out.bl_compatibility_id = record->dv_bl_signal_compatibility_id;
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(59, 29, 100)
    if (size > offsetof(AVDOVIDecoderConfigurationRecord, dv_md_compression)) out.metadata_compression = record->dv_md_compression;
#endif
    return out;
}

static uint32_t scaled(AVRational value, int64_t steps, uint32_t limit) {
    if (value.den <= 0 || value.num <= 0) return 0;
    int64_t ticks = av_rescale(value.num, steps, value.den);
    return ticks > (int64_t)limit ? limit : (uint32_t)ticks;
}

PrismMasteringDisplay prism_mastering_display(const AVStream *stream) {
    PrismMasteringDisplay out = {0};
    size_t size;
    const uint8_t *data = prism_stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &size);
    if (!data || size < offsetof(AVMasteringDisplayMetadata, has_luminance) + sizeof(int)) return out;
    const AVMasteringDisplayMetadata *display = (const void *)data;
    if (!display->has_primaries || !display->has_luminance) return out;
    out.present = 1;
    for (int i = 0; i < 8; i++) {
        AVRational value = i < 6 ? display->display_primaries[i / 2][i % 2] : display->white_point[i - 6];
        out.chromaticity[i] = (uint16_t)scaled(value, 50000, UINT16_MAX);
    }
    out.max_luminance = scaled(display->max_luminance, 10000, UINT32_MAX);
    out.min_luminance = scaled(display->min_luminance, 10000, UINT32_MAX);
    return out;
}

int prism_content_light(const AVStream *stream, uint16_t *max_cll, uint16_t *max_fall) {
    size_t size;
    const uint8_t *data = prism_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &size);
    if (!data || size < offsetof(AVContentLightMetadata, MaxFALL) + sizeof(unsigned)) return 0;
    const AVContentLightMetadata *light = (const void *)data;
    *max_cll = light->MaxCLL > UINT16_MAX ? UINT16_MAX : (uint16_t)light->MaxCLL;
    *max_fall = light->MaxFALL > UINT16_MAX ? UINT16_MAX : (uint16_t)light->MaxFALL;
    return 1;
}

int prism_is_multiview_stereo(const AVStream *stream) {
    size_t size;
    const uint8_t *data = prism_stream_side_data(stream, AV_PKT_DATA_STEREO3D, &size);
    if (!data || size < offsetof(AVStereo3D, type) + sizeof(((AVStereo3D *)0)->type)) return 0;
    const AVStereo3D *stereo = (const void *)data;
    if (stereo->type == AV_STEREO3D_FRAMESEQUENCE) return 1;
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(59, 21, 100)
    if (stereo->type == AV_STEREO3D_UNSPEC) return 1;
#endif
    return 0;
}

int prism_describe_layout(const AVCodecParameters *parameters, char *buffer, size_t size) {
    if (!size) return 0;
    buffer[0] = 0;
    if (parameters->ch_layout.nb_channels <= 0 || parameters->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) return 0;
    int length = av_channel_layout_describe(&parameters->ch_layout, buffer, size);
    if (length <= 0) buffer[0] = 0;
    return length > 0;
}

int64_t prism_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

int prism_frame_is_interlaced(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame != 0;
#endif
}

int prism_frame_is_key(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_KEY
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame != 0;
#endif
}

int prism_frame_is_corrupt(const AVFrame *frame) {
    return frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0;
}

static uint64_t mix(uint64_t hash, const uint8_t *bytes, size_t count) {
    const uint64_t multiplier = 0x9E3779B97F4A7C15u;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * multiplier;
        hash ^= hash >> 29;
        bytes += 8;
        count -= 8;
    }
    uint64_t tail = (uint64_t)count << 56;
    memcpy(&tail, bytes, count);
    hash = (hash ^ tail) * multiplier;
    return hash ^ (hash >> 32);
}

uint64_t prism_frame_hash(const AVFrame *frame) {
    if (frame->width > 0) {
        const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(frame->format);
        if (!description || (description->flags & AV_PIX_FMT_FLAG_HWACCEL)) return 0;
        int32_t head[3] = {frame->format, frame->width, frame->height};
        uint64_t hash = mix(0x5072697363616D31u, (const uint8_t *)head, sizeof head);
        int planes = av_pix_fmt_count_planes(frame->format);
        for (int plane = 0; plane < planes && plane < 4; plane++) {
            int bytes = av_image_get_linesize(frame->format, frame->width, plane);
            int shift = (plane == 1 || plane == 2) ? description->log2_chroma_h : 0;
            int rows = AV_CEIL_RSHIFT(frame->height, shift);
            if (bytes <= 0 || !frame->data[plane]) continue;
            for (int row = 0; row < rows; row++)
                hash = mix(hash, frame->data[plane] + (ptrdiff_t)row * frame->linesize[plane], (size_t)bytes);
        }
        return hash;
    }
    int channels = frame->ch_layout.nb_channels;
    int width = av_get_bytes_per_sample(frame->format);
    if (frame->nb_samples <= 0 || channels <= 0 || width <= 0) return 0;
    int32_t head[4] = {frame->format, frame->nb_samples, channels, frame->sample_rate};
    uint64_t hash = mix(0x5072697363616D32u, (const uint8_t *)head, sizeof head);
    int planar = av_sample_fmt_is_planar(frame->format);
    size_t bytes = (size_t)frame->nb_samples * (size_t)width * (size_t)(planar ? 1 : channels);
    for (int plane = 0; plane < (planar ? channels : 1); plane++) hash = mix(hash, frame->extended_data[plane], bytes);
    return hash;
}

int prism_frame_to_floats(const AVFrame *frame, float *out) {
    int channels = frame->ch_layout.nb_channels;
    int planar = av_sample_fmt_is_planar(frame->format);
    enum AVSampleFormat format = av_get_packed_sample_fmt(frame->format);
    for (int channel = 0; channel < channels; channel++) {
        const uint8_t *plane = frame->extended_data[planar ? channel : 0];
        size_t step = planar ? 1 : (size_t)channels, first = planar ? 0 : (size_t)channel;
        for (int i = 0; i < frame->nb_samples; i++) {
            size_t at = first + (size_t)i * step;
            float value;
            switch (format) {
            case AV_SAMPLE_FMT_U8: value = (float)(plane[at] - 128) / 128.0f; break;
            case AV_SAMPLE_FMT_S16: value = (float)((const int16_t *)plane)[at] / 32768.0f; break;
            case AV_SAMPLE_FMT_S32: value = (float)((const int32_t *)plane)[at] / 2147483648.0f; break;
            case AV_SAMPLE_FMT_S64: value = (float)((const int64_t *)plane)[at] / 9223372036854775808.0f; break;
            case AV_SAMPLE_FMT_FLT: value = ((const float *)plane)[at]; break;
            case AV_SAMPLE_FMT_DBL: value = (float)((const double *)plane)[at]; break;
            default: return AVERROR(ENOSYS);
            }
            out[(size_t)i * (size_t)channels + (size_t)channel] = value;
        }
    }
    return 0;
}

uint64_t prism_default_layout_mask(int channels) {
    AVChannelLayout layout = {0};
    av_channel_layout_default(&layout, channels);
    uint64_t mask = layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0;
    av_channel_layout_uninit(&layout);
    return mask;
}

uint64_t prism_layout_mask(const AVChannelLayout *layout) {
    if (layout->nb_channels <= 0) return 0;
    if (layout->order == AV_CHANNEL_ORDER_NATIVE) return layout->u.mask;
    // Channels in an order of their own are not those of the usual layout.
    if (layout->order == AV_CHANNEL_ORDER_CUSTOM) return 0;
    return prism_default_layout_mask(layout->nb_channels);
}

// LIBAVCODEC 61.13 is FFmpeg 7.1, which asks the encoder where its lists were fields before.
#define PRISM_SUPPORTED_CONFIG (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100))

int prism_encoder_takes_rate(const AVCodec *codec, int rate) {
    const int *list = NULL;
#if PRISM_SUPPORTED_CONFIG
    if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_RATE, 0, (const void **)&list, NULL) < 0) return 0;
#else
    list = codec->supported_samplerates;
#endif
    if (!list) return 1;
    for (; *list; list++) if (*list == rate) return 1;
    return 0;
}

int prism_encoder_takes_layout(const AVCodec *codec, uint64_t mask) {
    const AVChannelLayout *list = NULL;
#if PRISM_SUPPORTED_CONFIG
    if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_CHANNEL_LAYOUT, 0, (const void **)&list, NULL) < 0) return 0;
#else
    list = codec->ch_layouts;
#endif
    if (!list) return 1;
    for (; list->nb_channels; list++) if (list->order == AV_CHANNEL_ORDER_NATIVE && list->u.mask == mask) return 1;
    return 0;
}

#define PRISM_PLANES 64

// Where sample `skip` of each plane is. Returns how many planes, 0 for a frame with more than are looked at.
static int planes_from(const AVFrame *frame, int skip, uint8_t *planes[PRISM_PLANES]) {
    int channels = frame->ch_layout.nb_channels;
    int width = av_get_bytes_per_sample(frame->format);
    int planar = av_sample_fmt_is_planar(frame->format);
    int count = planar ? channels : 1;
    if (channels <= 0 || count > PRISM_PLANES || width <= 0) return 0;
    for (int i = 0; i < count; i++)
        planes[i] = frame->extended_data[i] + (ptrdiff_t)skip * width * (planar ? 1 : channels);
    return count;
}

int prism_queue_write(AVAudioFifo *queue, const AVFrame *frame, int skip, int count) {
    uint8_t *planes[PRISM_PLANES];
    if (skip < 0 || count < 0 || skip > frame->nb_samples - count || !planes_from(frame, skip, planes)) return AVERROR(EINVAL);
    return av_audio_fifo_write(queue, (void **)planes, count);
}

int prism_queue_read(AVAudioFifo *queue, AVFrame *frame) {
    uint8_t *planes[PRISM_PLANES];
    if (!planes_from(frame, 0, planes)) return AVERROR(EINVAL);
    return av_audio_fifo_read(queue, (void **)planes, frame->nb_samples);
}

int prism_silence(AVFrame *frame) {
    return av_samples_set_silence(frame->extended_data, 0, frame->nb_samples, frame->ch_layout.nb_channels, frame->format);
}

int prism_resample(SwrContext *resampler, AVFrame *output, int capacity, const AVFrame *input, int skip) {
    if (!input) return swr_convert(resampler, output->extended_data, capacity, NULL, 0);
    uint8_t *planes[PRISM_PLANES];
    if (skip < 0 || skip > input->nb_samples || !planes_from(input, skip, planes)) return AVERROR(EINVAL);
    return swr_convert(resampler, output->extended_data, capacity, (const uint8_t **)planes, input->nb_samples - skip);
}

static _Atomic(prism_log_handler) log_handler;
static atomic_int log_level;

// libav prints a line in pieces; each thread collects its own.
static _Thread_local struct {
    char text[2048];
    size_t length;
    int level, is_cut;
    const char *component;
} pending;

static void finish_line(prism_log_handler handler) {
    // The last word of a cut line may be half an address, in which nothing could be found to hide.
    if (pending.is_cut) {
        while (pending.length && pending.text[pending.length - 1] != ' ') pending.length--;
    }
    pending.text[pending.length] = 0;
    size_t length = pending.length;
    pending.length = 0;
    pending.is_cut = 0;
    if (length) handler(pending.level, pending.component, pending.text);
}

static atomic_llong http_requests;
static _Thread_local PrismListParts list_parts;

static void take_log(void *object, int level, const char *format, va_list arguments) {
    // http.c says each request at debug level, by this format (BenchmarkTests would show another); what it says is not looked at.
    if (level == AV_LOG_DEBUG && strncmp(format, "request: ", 9) == 0) atomic_fetch_add(&http_requests, 1);
    // hls.c and dashdec.c say so of each segment and fragment, and go on to the next.
    // Not "Failed to open codec …", which is another's.
    if (strncmp(format, "Failed to open segment", 22) == 0 || strncmp(format, "Failed to open fragment", 23) == 0) list_parts.failed++;
    // aviobuf.c says so of each input that was closed: a live manifest that is read over and over leaves no other sign.
    if (strncmp(format, "Statistics: ", 12) == 0) list_parts.closed++;
    prism_log_handler handler = atomic_load(&log_handler);
    if (!handler) return;
    if (level >= 0) level &= 0xff;
    if (level > atomic_load(&log_level)) return;

    const AVClass *described = object ? *(const AVClass **)object : NULL;
    const char *component = described ? (described->item_name ? described->item_name(object) : described->class_name) : NULL;
    char text[4096];
    int wanted = vsnprintf(text, sizeof text, format, arguments);
    if (wanted <= 0) return;
    if (pending.length && pending.level != level) finish_line(handler);
    // Held during this call only: the object, and its name with it, may be gone when the line's next piece comes.
    pending.level = level;
    pending.component = component;
    for (const char *at = text; *at; at++) {
        if (*at == '\n') finish_line(handler);
        else if (pending.is_cut) continue;
        else if (pending.length + 1 < sizeof pending.text) pending.text[pending.length++] = *at;
        else pending.is_cut = 1;
    }
    if ((size_t)wanted >= sizeof text) {
        pending.is_cut = 1;
        finish_line(handler);
    }
    pending.component = NULL;
}

void prism_take_log(void) { av_log_set_callback(take_log); }

const PrismListParts *prism_list_parts(void) { return &list_parts; }

long long prism_http_request_count(void) { return atomic_load(&http_requests); }

void prism_set_log_handler(prism_log_handler handler, int level) {
    atomic_store(&log_level, level);
    atomic_store(&log_handler, handler);
}

int prism_library(int index, const char **name, unsigned *compiled, unsigned *loaded) {
    switch (index) {
    case 0: *name = "libavutil"; *compiled = LIBAVUTIL_VERSION_INT; *loaded = avutil_version(); return 1;
    case 1: *name = "libavcodec"; *compiled = LIBAVCODEC_VERSION_INT; *loaded = avcodec_version(); return 1;
    case 2: *name = "libavformat"; *compiled = LIBAVFORMAT_VERSION_INT; *loaded = avformat_version(); return 1;
    case 3: *name = "libswresample"; *compiled = LIBSWRESAMPLE_VERSION_INT; *loaded = swresample_version(); return 1;
    case 4: *name = "libswscale"; *compiled = LIBSWSCALE_VERSION_INT; *loaded = swscale_version(); return 1;
    default: return 0;
    }
}
