// The one door to libav*: the public headers, the constants Swift's importer drops, and the calls whose shape changed
// between FFmpeg 5.1 and 9. Every version guard is in CFFmpeg.c, so nothing that imports this module can see a version.
#ifndef PRISM_CFFMPEG_H
#define PRISM_CFFMPEG_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavformat/avio.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/frame.h>
#include <libavutil/hdr_dynamic_metadata.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>

// Constants the importer does not give. All are part of libav's ABI, the same in every supported version.
static const int64_t PRISM_NOPTS_VALUE = INT64_MIN;
static const int32_t PRISM_AVERROR_EOF = AVERROR_EOF;
static const int32_t PRISM_AVERROR_EXIT = AVERROR_EXIT;
static const int32_t PRISM_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int32_t PRISM_AVERROR_INPUT_CHANGED = AVERROR_INPUT_CHANGED;
static const int32_t PRISM_AVERROR_PATCHWELCOME = AVERROR_PATCHWELCOME;
static const int32_t PRISM_AVERROR_DEMUXER_NOT_FOUND = AVERROR_DEMUXER_NOT_FOUND;
static const int32_t PRISM_AVERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int32_t PRISM_AVERROR_ENCODER_NOT_FOUND = AVERROR_ENCODER_NOT_FOUND;
static const int32_t PRISM_AVERROR_PROTOCOL_NOT_FOUND = AVERROR_PROTOCOL_NOT_FOUND;
static const int32_t PRISM_AVERROR_FILTER_NOT_FOUND = AVERROR_FILTER_NOT_FOUND;
static const int32_t PRISM_AVERROR_BSF_NOT_FOUND = AVERROR_BSF_NOT_FOUND;
static const int32_t PRISM_AVERROR_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;
/// AV_PROFILE_UNKNOWN and AV_LEVEL_UNKNOWN, called FF_… before 6.1.
static const int32_t PRISM_PROFILE_UNKNOWN = -99;

static inline int prism_averror(int error_number) { return AVERROR(error_number); }

/// The HTTP status an AVERROR_HTTP_… code stands for, or 0. An unnamed 4xx is 400, a 5xx is 500.
int prism_http_status(int code);

/// The payload of a stream's side data (AVStream.side_data before FFmpeg 6.1, AVCodecParameters.coded_side_data since),
/// or NULL. Owned by the stream.
const uint8_t *prism_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size);
const uint8_t *prism_packet_side_data(const AVPacket *packet, enum AVPacketSideDataType type, size_t *size);

/// The Dolby Vision configuration of a stream; `present` is 0 when it has none.
typedef struct {
    int present;
    uint8_t version_major, version_minor, profile, level;
    uint8_t rpu_present, el_present, bl_present, bl_compatibility_id;
    /// Since FFmpeg 7.1, otherwise 0.
    uint8_t metadata_compression;
} PrismDolbyVision;
PrismDolbyVision prism_dolby_vision(const AVStream *stream);

/// ST 2086 values of a stream in the standard's integers: chromaticities in 0.00002, luminance in 0.0001 cd/m².
/// `present` is 0 unless both primaries and luminance are known.
typedef struct {
    int present;
    /// x and y of red, green, blue and the white point.
    uint16_t chromaticity[8];
    uint32_t max_luminance, min_luminance;
} PrismMasteringDisplay;
PrismMasteringDisplay prism_mastering_display(const AVStream *stream);

/// MaxCLL and MaxFALL in cd/m². Returns 0 when the stream does not say.
int prism_content_light(const AVStream *stream, uint16_t *max_cll, uint16_t *max_fall);

/// 1 when the stream's stereo 3D side data says two views that are not packed into one frame (multiview coding).
int prism_is_multiview_stereo(const AVStream *stream);

/// Writes the layout's name ("5.1(side)"), always terminated. Returns 0 when it has none.
int prism_describe_layout(const AVCodecParameters *parameters, char *buffer, size_t size);

/// Duration, interlacing, keyframe and damage of a decoded frame; where they live changed in 6.0 and 6.1.
int64_t prism_frame_duration(const AVFrame *frame);
int prism_frame_is_interlaced(const AVFrame *frame);
int prism_frame_is_key(const AVFrame *frame);
int prism_frame_is_corrupt(const AVFrame *frame);

/// A hash of the visible pixels of each plane, or of each channel's samples, with the frame's format and size; padding
/// and strides do not enter. 0 when the frame holds neither.
uint64_t prism_frame_hash(const AVFrame *frame);
/// Interleaves an audio frame as floats, integers scaled to ±1. Returns 0, or AVERROR(ENOSYS) for an unknown format.
int prism_frame_to_floats(const AVFrame *frame, float *out);

/// The speakers of a layout as libav's mask. One without a mask of its own (unspecified, custom, ambisonic) counts as the usual layout of as
/// many channels; 0 when there is none.
uint64_t prism_layout_mask(const AVChannelLayout *layout);
uint64_t prism_default_layout_mask(int channels);

/// Whether an encoder takes a rate, a layout, a sample format; 1 too where it lists none and says so by that.
int prism_encoder_takes_rate(const AVCodec *codec, int rate);
int prism_encoder_takes_layout(const AVCodec *codec, uint64_t mask);

/// Samples in and out of a queue: `count` of them, from the frame's sample `skip` on; as many as the frame says.
int prism_queue_write(AVAudioFifo *queue, const AVFrame *frame, int skip, int count);
int prism_queue_read(AVAudioFifo *queue, AVFrame *frame);
int prism_silence(AVFrame *frame);
/// Converts the input's samples from `skip` on (NULL: lets out what is held back) into a frame of `capacity` samples; returns how many came out.
int prism_resample(SwrContext *resampler, AVFrame *output, int capacity, const AVFrame *input, int skip);

/// Called with one whole line, on whichever thread runs libav; both strings are valid during the call only.
typedef void (*prism_log_handler)(int level, const char *component, const char *text);

/// Takes libav*'s log over for the whole process: nothing is printed, and lines up to `prism_set_log_handler`'s level go
/// to its handler, if there is one.
void prism_take_log(void);
void prism_set_log_handler(prism_log_handler handler, int level);
/// HTTP requests libavformat has sent since the process began, as its log says: it gives no other sign.
long long prism_http_request_count(void);

/// What libavformat's log says of lists on the calling thread: parts (HLS segments, DASH fragments) that did not open, and inputs of any
/// kind that were closed.
typedef struct {
    long failed, closed;
} PrismListParts;
/// The place is the thread's own and tells it from others; only the thread itself may read there.
const PrismListParts *prism_list_parts(void);

/// One library's versions: `index` 0…4, 0 when there is no such index. Versions are AV_VERSION_INT values.
int prism_library(int index, const char **name, unsigned *compiled, unsigned *loaded);

#endif
