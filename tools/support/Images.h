//===- Images.h - Pictures as a network's input -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_SUPPORT_IMAGES_H
#define FADIFF_TOOLS_SUPPORT_IMAGES_H

#include "fadiff/Runner/HostTensor.h"
#include "fadiff/Support/NamedOption.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fadiff {

/// A picture: rows from the top, pixels from the left, channels (one of grey,
/// or red, green and blue) innermost, 0 to 255.
struct Image {
  int64_t height = 0, width = 0, channels = 0;
  std::vector<uint8_t> bytes;
};

/// Which axis of an argument has the channels.
enum class ImageLayout : uint8_t { Auto, Nchw, Nhwc };
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(ImageLayout) {
  static constexpr llvm::StringLiteral names[] = {"auto", "nchw", "nhwc"};
  return names;
}

} // namespace fadiff

FADIFF_NAMED_OPTION(fadiff::ImageLayout)

namespace fadiff {

/// How pixels become numbers: (pixel - mean) * scale, per channel. One number
/// stands for all channels, none for mean 0 and scale 1.
struct ImageNumbers {
  std::vector<double> mean, scale;
  ImageLayout layout = ImageLayout::Auto;

  bool areGiven() const { return !mean.empty() || !scale.empty(); }
};

/// The options of a tool that reads pictures: a static object in its file.
class ImageOptions {
public:
  explicit ImageOptions(llvm::cl::OptionCategory &category);
  /// Fails if what was given are no numbers.
  llvm::Expected<ImageNumbers> numbers() const;

private:
  llvm::cl::list<std::string> mean, scale;
  llvm::cl::opt<ImageLayout> layout;
};

/// Whether `path` is read as a picture: it ends in .ppm, .pgm, .png, .jpg or
/// .jpeg.
bool isImageFile(llvm::StringRef path);

/// Reads a picture of 8 bits per channel, by the end of `path`: netpbm's P2,
/// P3, P5 and P6, PNG without transparency, or JPEG. Fails, naming the file,
/// for everything else and for more than 2^28 pixels.
llvm::Expected<Image> readImage(llvm::StringRef path);

/// The picture in `path` as the argument `wanted`, of integers or floats: three
/// extents, or four with a batch of one, exactly those of the picture. Integers
/// are rounded half to even and cut to their range; bytes without mean and
/// scale are the pixels. Fails, saying what was wanted and found.
llvm::Expected<HostTensor> readImageTensor(llvm::StringRef path,
                                           const TensorSpec &wanted,
                                           const ImageNumbers &numbers);

/// Bytes as pixels of an argument of `element`, f32 or f64, and of their shape,
/// which may be a batch of pictures. Fails, without a file's name, as above.
llvm::Expected<HostTensor> pixelsToNumbers(const HostTensor &pixels,
                                           ElementType element,
                                           const ImageNumbers &numbers);

} // namespace fadiff

#endif // FADIFF_TOOLS_SUPPORT_IMAGES_H
