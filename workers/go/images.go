package main

import (
	"bytes"
	"crypto/sha256"
	"image"
	stddraw "image/draw"
	"image/jpeg"
	"math"

	"golang.org/x/image/draw"

	"sizeup/gokit/protocol"
)

// Pictures, as workers/data/src/images.rs has them: a photo in JPEG is decoded, scaled or encoded, or
// all three make a thumbnail of it. What an op makes is judged once, by computations that have
// nothing in common with the libraries; from then on every op must make the same bytes.

var (
	side = protocol.Integers(16, 4096)
	// Those that are used for photos; below, less is left of a picture than a check wants to see.
	quality = protocol.Integers(75, 95)

	scaleRanges     = protocol.Ranges{"width": side, "height": side}
	encodeRanges    = protocol.Ranges{"quality": quality}
	thumbnailRanges = protocol.Ranges{"width": side, "height": side, "quality": quality}
)

// imageInstance makes pixels or a stream, into memory that is used again.
type imageInstance struct {
	op func() error
	// memory is where the output of the last op lies, as a whole, and made the part that is the output.
	memory, made func() []byte
	expected     [sha256.Size]byte // of what the first op made
}

func (i *imageInstance) Op() error { return i.op() }

func (i *imageInstance) Output() ([]byte, error) {
	clear(i.memory())
	err := i.op()
	return bytes.Clone(i.made()), err
}

func (i *imageInstance) Check(output []byte) error {
	if sha256.Sum256(output) != i.expected {
		return protocol.Faultf(protocol.KindWrongAnswer, "%d bytes that are not those of the first op", len(output))
	}
	return nil
}

// judged performs an op and has its output judged.
func (i *imageInstance) judged(judge func(made []byte) error) (instance, error) {
	if err := i.op(); err != nil {
		return nil, protocol.AsFault(err, protocol.KindOperationFailed)
	}
	if err := judge(i.made()); err != nil {
		return nil, err
	}
	i.expected = sha256.Sum256(i.made())
	return i, nil
}

// pixelsInstance makes the pixels of a picture, streamInstance a stream.
func pixelsInstance(picture *image.RGBA, op func() error) *imageInstance {
	pixels := func() []byte { return picture.Pix }
	return &imageInstance{op: op, memory: pixels, made: pixels}
}

func streamInstance(stream *bytes.Buffer, op func() error) *imageInstance {
	memory := func() []byte {
		stream.Reset()
		return stream.AvailableBuffer()[:stream.Available()]
	}
	return &imageInstance{op: op, memory: memory, made: stream.Bytes}
}

// planImages plans an operation on a photo; instantiate makes an instance out of a thread's own copy and
// the mean colours of the photo's blocks, if the operation takes them.
func planImages(verified string, libraries []string, takesBlocks bool,
	instantiate func(j *job, photo, blocks []byte) (instance, error)) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		photo, err := j.Inputs.Take("photo")
		if err != nil {
			return nil, err
		}
		var blocks []byte
		if takesBlocks {
			if blocks, err = j.Inputs.Take("blocks"); err != nil {
				return nil, err
			}
		}
		return &plan{
			Verified:    verified,
			Libraries:   libraries,
			Instantiate: func() (instance, error) { return instantiate(j, bytes.Clone(photo), blocks) },
		}, nil
	}
}

// planJPEGDecode plans image/jpeg.Decode, and image/draw into pixels of red, green, blue and opacity.
var planJPEGDecode = planImages("the picture's blocks have the colours that were drawn", []string{libraryGo}, true,
	func(_ *job, photo, blocks []byte) (instance, error) {
		picture, err := decodedPixels(photo)
		if err != nil {
			return nil, err
		}
		op := func() error {
			decoded, err := jpeg.Decode(bytes.NewReader(photo))
			if err == nil {
				stddraw.Draw(picture, picture.Bounds(), decoded, image.Point{}, stddraw.Src)
			}
			return err
		}
		clear(picture.Pix)
		return pixelsInstance(picture, op).judged(func([]byte) error { return judgeBlocks(picture, blocks) })
	})

// planImageScale plans x/image/draw's CatmullRom from pixels to pixels.
var planImageScale = planImages("every pixel is that of another computation, within 2 of 255", []string{libraryImage}, false,
	func(j *job, photo, _ []byte) (instance, error) {
		from, err := decodedPixels(photo)
		if err != nil {
			return nil, err
		}
		to := image.NewRGBA(image.Rect(0, 0, j.Integer("width"), j.Integer("height")))
		op := func() error {
			draw.CatmullRom.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
			return nil
		}
		return pixelsInstance(to, op).judged(func([]byte) error { return judgeScaled(to, scaled(from, to.Bounds())) })
	})

// planJPEGEncode plans image/jpeg.Encode of pixels.
var planJPEGEncode = planImages("decoded, the stream is close to the picture, and neither too long nor too short", []string{libraryGo}, false,
	func(j *job, photo, _ []byte) (instance, error) {
		picture, err := decodedPixels(photo)
		if err != nil {
			return nil, err
		}
		var stream bytes.Buffer
		options := jpeg.Options{Quality: j.Integer("quality")}
		op := func() error {
			stream.Reset()
			return jpeg.Encode(&stream, picture, &options)
		}
		return streamInstance(&stream, op).judged(func(made []byte) error { return judgeStream(made, picture) })
	})

// planThumbnail plans all three, without pixels of red, green and blue in between: x/image/draw scales
// what image/jpeg decodes.
var planThumbnail = planImages("decoded, the thumbnail is close to the photo that was drawn, scaled in another way",
	[]string{libraryGo, libraryImage}, true,
	func(j *job, photo, blocks []byte) (instance, error) {
		picture, err := decodedPixels(photo)
		if err != nil {
			return nil, err
		}
		if err := judgeBlocks(picture, blocks); err != nil {
			return nil, err
		}
		small := image.NewRGBA(image.Rect(0, 0, j.Integer("width"), j.Integer("height")))
		reference := scaled(picture, small.Bounds())
		var stream bytes.Buffer
		options := jpeg.Options{Quality: j.Integer("quality")}
		op := func() error {
			stream.Reset()
			decoded, err := jpeg.Decode(bytes.NewReader(photo))
			if err != nil {
				return err
			}
			draw.CatmullRom.Scale(small, small.Bounds(), decoded, decoded.Bounds(), draw.Src, nil)
			return jpeg.Encode(&stream, small, &options)
		}
		return streamInstance(&stream, op).judged(func(made []byte) error { return judgeStream(made, reference) })
	})

// decodedPixels is a picture as red, green, blue and opacity.
func decodedPixels(photo []byte) (*image.RGBA, error) {
	decoded, err := jpeg.Decode(bytes.NewReader(photo))
	if err != nil {
		return nil, protocol.Faultf(protocol.KindInput, "input \"photo\": %v", err)
	}
	picture := image.NewRGBA(decoded.Bounds())
	stddraw.Draw(picture, picture.Bounds(), decoded, decoded.Bounds().Min, stddraw.Src)
	return picture, nil
}

const (
	// blockSide is the side of a block in pixels.
	blockSide = 8
	// mostOfBlock is by how much of 255 the mean colour of a block may be off: what the encoder lost,
	// and colours that decoders smooth across edges. meanOfBlocks is how much of it may be left in the
	// mean over all blocks.
	mostOfBlock  = 18
	meanOfBlocks = 1.0
	// mostOfPixel is what libraries may round, or cut off.
	mostOfPixel = 2
	// leastDecibels is how close to a picture a stream must be that was encoded from it: at quality
	// 75 grain and grass leave as much.
	leastDecibels = 31.0
	// A stream has tables of some 600 bytes, and for each pixel a fortieth of a byte at least and two at most.
	tableBytes = 700
)

// judgeBlocks compares the mean colours of blocks with those of what was drawn.
func judgeBlocks(picture *image.RGBA, blocks []byte) error {
	size := picture.Bounds().Size().Div(blockSide)
	if len(blocks) != 3*size.X*size.Y {
		return protocol.Faultf(protocol.KindWrongAnswer, "%v blocks, but %d numbers", size, len(blocks))
	}
	most, sum := 0, 0
	for y := range size.Y {
		for x := range size.X {
			for channel := range 3 {
				off := blockMean(picture, x, y, channel) - int(blocks[0])
				blocks = blocks[1:]
				most, sum = max(most, off, -off), sum+max(off, -off)
			}
		}
	}
	if mean := float64(sum) / float64(3*size.X*size.Y); most > mostOfBlock || mean > meanOfBlocks {
		return protocol.Faultf(protocol.KindWrongAnswer, "blocks have other colours: by %d at most, %.2f in the mean", most, mean)
	}
	return nil
}

func blockMean(picture *image.RGBA, x, y, channel int) int {
	const pixels = blockSide * blockSide
	sum := 0
	for row := range blockSide {
		from := picture.PixOffset(x*blockSide, y*blockSide+row) + channel
		for at := range blockSide {
			sum += int(picture.Pix[from+4*at])
		}
	}
	return (sum + pixels/2) / pixels
}

// scaled scales by the cubic of Catmull and Rom, made as wide as a new pixel, without rounding in
// between.
func scaled(from *image.RGBA, bounds image.Rectangle) *image.RGBA {
	width, height := from.Bounds().Dx(), from.Bounds().Dy()
	columns, rows := cubicParts(width, bounds.Dx()), cubicParts(height, bounds.Dy())
	narrow := make([]float64, 4*height*len(columns))
	for y := range height {
		for x, column := range columns {
			sums := narrow[4*(y*len(columns)+x):][:4]
			for at, part := range column.parts {
				pixel := from.Pix[from.PixOffset(column.first+at, y):][:4]
				for channel := range sums {
					sums[channel] += part * float64(pixel[channel])
				}
			}
		}
	}
	to := image.NewRGBA(bounds)
	for y, row := range rows {
		for at := range 4 * len(columns) {
			sum := 0.0
			for below, part := range row.parts {
				sum += part * narrow[4*(row.first+below)*len(columns)+at]
			}
			to.Pix[y*to.Stride+at] = uint8(math.Round(min(max(sum, 0), 255)))
		}
	}
	return to
}

// partsOfPixel is the first old pixel that has a part in a new one, and the parts.
type partsOfPixel struct {
	first int
	parts []float64
}

func cubicParts(from, to int) []partsOfPixel {
	ratio := float64(from) / float64(to)
	stretched := max(ratio, 1)
	all := make([]partsOfPixel, to)
	for i := range all {
		centre := (float64(i) + 0.5) * ratio
		first, last := max(int(math.Floor(centre-2*stretched)), 0), min(int(math.Ceil(centre+2*stretched)), from)
		parts, sum := make([]float64, last-first), 0.0
		for at := range parts {
			parts[at] = cubic((float64(first+at) + 0.5 - centre) / stretched)
			sum += parts[at]
		}
		for at := range parts {
			parts[at] /= sum
		}
		all[i] = partsOfPixel{first, parts}
	}
	return all
}

func cubic(x float64) float64 {
	switch x = math.Abs(x); {
	case x < 1:
		return (1.5*x-2.5)*x*x + 1
	case x < 2:
		return ((-0.5*x+2.5)*x-4)*x + 2
	}
	return 0
}

func judgeScaled(made, reference *image.RGBA) error {
	most := 0
	for i, is := range made.Pix {
		most = max(most, int(is)-int(reference.Pix[i]), int(reference.Pix[i])-int(is))
	}
	if most > mostOfPixel {
		return protocol.Faultf(protocol.KindWrongAnswer, "a pixel is off by %d of 255", most)
	}
	return nil
}

// judgeStream compares what is decoded from a stream with what it was encoded from.
func judgeStream(stream []byte, source *image.RGBA) error {
	picture, err := decodedPixels(stream)
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "what was encoded: %v", err)
	}
	if picture.Bounds() != source.Bounds() {
		return protocol.Faultf(protocol.KindWrongAnswer, "%v pixels were encoded", picture.Bounds().Size())
	}
	pixels := len(source.Pix) / 4
	hasGoodLength := len(stream) >= pixels/40 && len(stream) <= tableBytes+2*pixels
	if found := decibels(picture.Pix, source.Pix); found < leastDecibels || !hasGoodLength {
		return protocol.Faultf(protocol.KindWrongAnswer, "%d bytes, %.1f dB from what was encoded", len(stream), found)
	}
	return nil
}

// decibels is the peak signal-to-noise ratio of pixels, of which every fourth byte is opacity.
func decibels(one, other []byte) float64 {
	squares := 0.0
	for i := range one {
		off := float64(one[i]) - float64(other[i])
		squares += off * off
	}
	return 10 * math.Log10(255*255*0.75*float64(len(one))/squares)
}
