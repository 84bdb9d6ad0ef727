//===- Images.cpp - Pictures as a network's input -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Images.h"

#include "fadiff/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <png.h>
#include <turbojpeg.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

using namespace fadiff;
namespace cl = llvm::cl;

/// Of one picture; its bytes are three times as many.
static constexpr int64_t kMostPixels = int64_t(1) << 28;

ImageOptions::ImageOptions(cl::OptionCategory &category)
    : mean("image-mean", cl::CommaSeparated,
           cl::value_desc("123.7,116.3,103.5"),
           cl::desc("What is subtracted from the pixels (0 to 255) of pictures "
                    "and of bytes for arguments of floats, per channel or one "
                    "for all (default 0)"),
           cl::cat(category)),
      scale("image-scale", cl::CommaSeparated, cl::value_desc("0.0171"),
            cl::desc("What that is then multiplied with (default 1)"),
            cl::cat(category)),
      layout("image-layout",
             cl::desc("Which axis of the argument has channels"),
             cl::values(clEnumValN(ImageLayout::Auto, "auto",
                                   "the one whose extent is 1 or 3 (default)"),
                        clEnumValN(ImageLayout::Nchw, "nchw", "the first"),
                        clEnumValN(ImageLayout::Nhwc, "nhwc", "the last")),
             cl::init(ImageLayout::Auto), cl::cat(category)) {}

llvm::Expected<ImageNumbers> ImageOptions::numbers() const {
  ImageNumbers result;
  result.layout = layout;
  auto read = [](const cl::list<std::string> &texts,
                 std::vector<double> &numbers) -> llvm::Error {
    for (const std::string &text : texts) {
      double number;
      if (llvm::StringRef(text).getAsDouble(number) || !std::isfinite(number))
        return llvm::createStringError(
            llvm::formatv("--{0}: wanted a number, or one for each channel, "
                          "found '{1}'",
                          texts.ArgStr, text));
      numbers.push_back(number);
    }
    return llvm::Error::success();
  };
  if (llvm::Error error = read(mean, result.mean))
    return std::move(error);
  if (llvm::Error error = read(scale, result.scale))
    return std::move(error);
  return result;
}

static bool endsIn(llvm::StringRef path,
                   llvm::ArrayRef<llvm::StringLiteral> ends) {
  return llvm::any_of(ends, [&](llvm::StringRef end) {
    return path.ends_with_insensitive(end);
  });
}
static bool isNetpbm(llvm::StringRef path) {
  return endsIn(path, {".ppm", ".pgm"});
}
static bool isPng(llvm::StringRef path) { return endsIn(path, {".png"}); }

bool fadiff::isImageFile(llvm::StringRef path) {
  return isNetpbm(path) || isPng(path) || endsIn(path, {".jpg", ".jpeg"});
}

/// Extents that fit, with room for the bytes; else an error without a file.
static llvm::Expected<Image> makeImage(int64_t height, int64_t width,
                                       int64_t channels) {
  if (height < 1 || width < 1 || height > kMostPixels / width)
    return llvm::createStringError(
        llvm::formatv("wanted from 1 to {0} pixels, found {1} by {2}",
                      kMostPixels, width, height));
  Image image;
  image.height = height;
  image.width = width;
  image.channels = channels;
  image.bytes.resize(size_t(height * width * channels));
  return image;
}

/// netpbm's numbers, between which are white space and comments.
namespace {
class NetpbmReader {
public:
  explicit NetpbmReader(llvm::StringRef text) : text(text) {}

  llvm::Expected<Image> read() {
    const char kind = text.size() > 1 && text[0] == 'P' ? text[1] : 0;
    if (!kind || !llvm::StringRef("2356").contains(kind))
      return llvm::createStringError(
          "wanted a netpbm picture of kind P2, P3, P5 or P6, found something "
          "else");
    text = text.drop_front(2);
    int64_t width, height, white;
    if (!number(width) || !number(height) || !number(white))
      return llvm::createStringError(
          "wanted width, height and the number of white, found something else");
    if (white < 1 || white > 255)
      return llvm::createStringError(llvm::formatv(
          "wanted 8 bits per channel, found {0} as white", white));
    auto image = makeImage(height, width, kind == '3' || kind == '6' ? 3 : 1);
    if (!image)
      return image;
    if (llvm::Error error = kind > '3' ? readBytes(*image) : readText(*image))
      return std::move(error);
    for (uint8_t &byte : image->bytes) {
      if (byte > white)
        return llvm::createStringError(llvm::formatv(
            "wanted pixels up to {0}, found {1}", white, unsigned(byte)));
      byte = uint8_t((byte * 255 + white / 2) / white);
    }
    return image;
  }

private:
  bool number(int64_t &value) {
    for (;;) {
      text = text.ltrim(" \t\r\n\v\f");
      if (!text.starts_with("#"))
        break;
      text = text.drop_until([](char c) { return c == '\n' || c == '\r'; });
    }
    llvm::StringRef digits = text.take_while(llvm::isDigit);
    text = text.drop_front(digits.size());
    return digits.size() < 10 && !digits.getAsInteger(10, value);
  }

  llvm::Error readBytes(Image &image) {
    if (text.size() < image.bytes.size() + 1)
      return llvm::createStringError(llvm::formatv(
          "wanted {0} bytes of pixels, found {1}", image.bytes.size(),
          text.empty() ? 0 : text.size() - 1));
    std::memcpy(image.bytes.data(), text.data() + 1, image.bytes.size());
    return llvm::Error::success();
  }

  llvm::Error readText(Image &image) {
    for (size_t i = 0; i < image.bytes.size(); ++i) {
      int64_t value;
      if (!number(value) || value > 255)
        return llvm::createStringError(llvm::formatv(
            "wanted {0} numbers up to 255, found {1}", image.bytes.size(), i));
      image.bytes[i] = uint8_t(value);
    }
    return llvm::Error::success();
  }

  llvm::StringRef text;
};
} // namespace

static llvm::Expected<Image> readPng(llvm::StringRef bytes) {
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()))
    return llvm::createStringError("wanted a PNG picture: " +
                                   llvm::Twine(png.message));
  std::unique_ptr<png_image, void (*)(png_image *)> guard(&png, png_image_free);
  if (png.format & PNG_FORMAT_FLAG_ALPHA)
    return llvm::createStringError(
        "wanted a picture without transparency, found an alpha channel");
  if (png.format & PNG_FORMAT_FLAG_LINEAR)
    return llvm::createStringError("wanted 8 bits per channel, found 16");
  const bool isColour = png.format & PNG_FORMAT_FLAG_COLOR;
  auto image = makeImage(png.height, png.width, isColour ? 3 : 1);
  if (!image)
    return image;
  png.format = isColour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  if (!png_image_finish_read(&png, /*background=*/nullptr, image->bytes.data(),
                             /*row_stride=*/0, /*colormap=*/nullptr))
    return llvm::createStringError("wanted a PNG picture: " +
                                   llvm::Twine(png.message));
  return image;
}

static llvm::Expected<Image> readJpeg(llvm::StringRef bytes) {
  std::unique_ptr<void, int (*)(void *)> decoder(tjInitDecompress(), tjDestroy);
  if (!decoder)
    return llvm::createStringError(tjGetErrorStr2(nullptr));
  auto fail = [&] {
    return llvm::createStringError("wanted a JPEG picture: " +
                                   llvm::Twine(tjGetErrorStr2(decoder.get())));
  };
  auto *data = reinterpret_cast<const unsigned char *>(bytes.data());
  // A file of tables alone is no error, and leaves these as they are.
  int width = 0, height = 0, sampling = 0, space = -1;
  if (tjDecompressHeader3(decoder.get(), data, bytes.size(), &width, &height,
                          &sampling, &space))
    return fail();
  if (space < 0)
    return llvm::createStringError(
        "wanted a JPEG picture: the file ends before it begins");
  if (space == TJCS_CMYK || space == TJCS_YCCK)
    return llvm::createStringError(
        "wanted a picture of grey or of red, green and blue, found four "
        "colours of ink");
  const bool isGrey = space == TJCS_GRAY;
  auto image = makeImage(height, width, isGrey ? 1 : 3);
  if (!image)
    return image;
  if (tjDecompress2(decoder.get(), data, bytes.size(), image->bytes.data(),
                    width, /*pitch=*/0, height, isGrey ? TJPF_GRAY : TJPF_RGB,
                    TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING))
    return fail();
  return image;
}

static llvm::Error inFile(llvm::StringRef path, llvm::Error error) {
  return llvm::createStringError("'" + path +
                                 "': " + llvm::toString(std::move(error)));
}

llvm::Expected<Image> fadiff::readImage(llvm::StringRef path) {
  auto file = openInput(path, kMostPixels * 4);
  if (!file)
    return file.takeError();
  const llvm::StringRef bytes = (*file)->getBuffer();
  llvm::Expected<Image> image = isNetpbm(path) ? NetpbmReader(bytes).read()
                                : isPng(path)  ? readPng(bytes)
                                               : readJpeg(bytes);
  if (!image)
    return inFile(path, image.takeError());
  return image;
}

// From pixels to numbers -----------------------------------------------------

/// Writes `value` as element `index`; integers are rounded and cut.
template <typename T>
static void store(HostTensor &tensor, size_t index, double value) {
  if constexpr (std::is_integral_v<T>)
    value =
        std::clamp(std::nearbyint(value), double(std::numeric_limits<T>::min()),
                   double(std::numeric_limits<T>::max()));
  const T element = static_cast<T>(value);
  std::memcpy(tensor.data() + index * sizeof(T), &element, sizeof(T));
}

using Store = void (*)(HostTensor &, size_t, double);
/// Null for types that no picture is read as.
static Store storeOf(ElementType element) {
  switch (element) {
  case ElementType::I8:
    return store<int8_t>;
  case ElementType::I16:
    return store<int16_t>;
  case ElementType::I32:
    return store<int32_t>;
  case ElementType::F32:
    return store<float>;
  case ElementType::F64:
    return store<double>;
  default:
    return nullptr;
  }
}

/// Where the argument has height, width and channels: axes of its shape.
namespace {
struct Axes {
  unsigned height, width, channels;
};
} // namespace

static llvm::Expected<Axes> axesOf(const TensorSpec &wanted,
                                   ImageLayout layout) {
  const size_t rank = wanted.shape.size();
  if (rank < 3 || rank > 4)
    return llvm::createStringError(
        "a picture is for an argument of three extents, or four with a batch "
        "of one, found " +
        wanted.str() + "; give a file of NumPy");
  const unsigned first = unsigned(rank) - 3;
  if (first && wanted.shape[0] != 1)
    return llvm::createStringError(
        "a picture is for a batch of one, found " + wanted.str() +
        "; give a file of NumPy with all of the batch");
  auto isChannels = [&](unsigned axis) {
    return wanted.shape[axis] == 1 || wanted.shape[axis] == 3;
  };
  if (layout == ImageLayout::Auto) {
    const bool before = isChannels(first), behind = isChannels(first + 2);
    if (before == behind)
      return llvm::createStringError(
          llvm::formatv("which axis of {0} has the channels is not to be seen; "
                        "say --image-layout=nchw or nhwc",
                        wanted.str()));
    layout = before ? ImageLayout::Nchw : ImageLayout::Nhwc;
  }
  if (layout == ImageLayout::Nchw)
    return Axes{first + 1, first + 2, first};
  return Axes{first, first + 1, first + 2};
}

/// The number of a channel among those that were given.
static llvm::Expected<std::vector<double>>
perChannel(llvm::StringRef option, const std::vector<double> &given,
           int64_t channels, double otherwise) {
  if (given.size() > 1 && int64_t(given.size()) != channels)
    return llvm::createStringError(
        llvm::formatv("--{0}: wanted one number, or {1}, one for each channel, "
                      "found {2}",
                      option, channels, given.size()));
  std::vector<double> numbers = given;
  if (numbers.size() != 1)
    numbers.resize(size_t(channels), otherwise);
  else
    numbers.assign(size_t(channels), given.front());
  return numbers;
}

llvm::Expected<HostTensor>
fadiff::readImageTensor(llvm::StringRef path, const TensorSpec &wanted,
                        const ImageNumbers &numbers) {
  const Store put = storeOf(wanted.element);
  if (!put)
    return inFile(path, llvm::createStringError(
                            "a picture is for an argument of i8, i16, i32, f32 "
                            "or f64, found " +
                            wanted.str()));
  llvm::Expected<Axes> axes = axesOf(wanted, numbers.layout);
  if (!axes)
    return inFile(path, axes.takeError());
  llvm::Expected<Image> image = readImage(path);
  if (!image)
    return image.takeError();
  TensorSpec spec = wanted;
  const std::pair<unsigned, int64_t> extents[] = {
      {axes->height, image->height},
      {axes->width, image->width},
      {axes->channels, image->channels}};
  for (auto [axis, extent] : extents)
    if (spec.shape[axis] == TensorSpec::kOpen)
      spec.shape[axis] = extent;
    else if (spec.shape[axis] != extent)
      return inFile(
          path,
          llvm::createStringError(llvm::formatv(
              "wanted a picture {0} wide, {1} high, of {2} channel(s), found "
              "one {3} wide, {4} high, of {5}; nothing is resized or converted "
              "here",
              wanted.shape[axes->width], wanted.shape[axes->height],
              wanted.shape[axes->channels], image->width, image->height,
              image->channels)));
  auto mean = perChannel("image-mean", numbers.mean, image->channels, 0);
  if (!mean)
    return inFile(path, mean.takeError());
  auto scale = perChannel("image-scale", numbers.scale, image->channels, 1);
  if (!scale)
    return inFile(path, scale.takeError());
  llvm::Expected<HostTensor> tensor = HostTensor::allocate(spec);
  if (!tensor)
    return tensor.takeError();
  const bool channelsLast = axes->channels > axes->height;
  const bool areBytes =
      wanted.element == ElementType::I8 && !numbers.areGiven();
  for (int64_t pixel = 0, e = image->height * image->width; pixel < e; ++pixel)
    for (int64_t c = 0; c < image->channels; ++c) {
      const uint8_t byte = image->bytes[size_t(pixel * image->channels + c)];
      const size_t to =
          size_t(channelsLast ? pixel * image->channels + c : c * e + pixel);
      if (areBytes)
        tensor->data()[to] = byte;
      else
        put(*tensor, to, (byte - (*mean)[c]) * (*scale)[c]);
    }
  return tensor;
}

llvm::Expected<HostTensor>
fadiff::pixelsToNumbers(const HostTensor &pixels, ElementType element,
                        const ImageNumbers &numbers) {
  const Store put = storeOf(element);
  TensorSpec spec = pixels.spec();
  spec.element = element;
  // With one number for all channels it does not matter where those are.
  int64_t channels = 1, inner = 1;
  if (numbers.mean.size() > 1 || numbers.scale.size() > 1) {
    TensorSpec single = spec;
    if (single.shape.size() == 4)
      single.shape[0] = 1;
    llvm::Expected<Axes> axes = axesOf(single, numbers.layout);
    if (!axes)
      return axes.takeError();
    channels = spec.shape[axes->channels];
    for (size_t axis = axes->channels + 1; axis < spec.shape.size(); ++axis)
      inner *= spec.shape[axis];
  }
  auto mean = perChannel("image-mean", numbers.mean, channels, 0);
  if (!mean)
    return mean.takeError();
  auto scale = perChannel("image-scale", numbers.scale, channels, 1);
  if (!scale)
    return scale.takeError();
  llvm::Expected<HostTensor> tensor = HostTensor::allocate(spec);
  if (!tensor)
    return tensor.takeError();
  for (size_t i = 0, e = size_t(spec.numElements()); i < e; ++i) {
    const size_t c = i / size_t(inner) % size_t(channels);
    put(*tensor, i, (pixels.data()[i] - (*mean)[c]) * (*scale)[c]);
  }
  return tensor;
}
