"""A TFLite model as `tflite` spells it, with a scale per output channel."""

import tflite


class Style(tflite.Style):
    per_channel = True
