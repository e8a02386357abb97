package main

import (
	"bytes"
	"image"
	"image/color"
	stddraw "image/draw"
	"image/jpeg"
	"slices"
	"testing"

	"golang.org/x/image/draw"

	"sizeup/gokit/protocol"
)

// drawnPicture has smooth colours, an edge and some grain.
func drawnPicture() *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, 96, 64))
	for y := range 64 {
		for x := range 96 {
			grain := (96*y + x) * 7919 % 11
			if (x-50)*(x-50)+(y-30)*(y-30) < 400 {
				grain += 60
			}
			picture.SetRGBA(x, y, color.RGBA{uint8(40 + x + grain), uint8(70 + y + grain), uint8(180 - x + grain), 255})
		}
	}
	return picture
}

func encoded(t *testing.T, picture image.Image, quality int) []byte {
	t.Helper()
	var stream bytes.Buffer
	if err := jpeg.Encode(&stream, picture, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return stream.Bytes()
}

func blocksOf(picture *image.RGBA) (blocks []byte) {
	for y := range picture.Bounds().Dy() / blockSide {
		for x := range picture.Bounds().Dx() / blockSide {
			for channel := range 3 {
				blocks = append(blocks, uint8(blockMean(picture, x, y, channel)))
			}
		}
	}
	return blocks
}

func clonedPicture(picture *image.RGBA) *image.RGBA {
	return &image.RGBA{Pix: slices.Clone(picture.Pix), Stride: picture.Stride, Rect: picture.Rect}
}

func withSwappedColours(picture *image.RGBA) *image.RGBA {
	swapped := clonedPicture(picture)
	for pixel := range slices.Chunk(swapped.Pix, 4) {
		pixel[0], pixel[2] = pixel[2], pixel[0]
	}
	return swapped
}

func mustBeWrong(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil || protocol.AsFault(err, "").Kind != protocol.KindWrongAnswer {
		t.Errorf("%s: %v", what, err)
	}
}

func TestAPictureWithADamagedBlockSwappedColoursOrOfAnotherSizeIsRefused(t *testing.T) {
	picture, err := decodedPixels(encoded(t, drawnPicture(), 88))
	if err != nil {
		t.Fatal(err)
	}
	blocks := blocksOf(drawnPicture())
	if err := judgeBlocks(picture, blocks); err != nil {
		t.Error(err)
	}
	damaged := clonedPicture(picture)
	stddraw.Draw(damaged, image.Rect(16, 40, 24, 48), image.NewUniform(color.Gray{128}), image.Point{}, stddraw.Src)
	mustBeWrong(t, "a damaged block", judgeBlocks(damaged, blocks))
	mustBeWrong(t, "swapped colours", judgeBlocks(withSwappedColours(picture), blocks))
	mustBeWrong(t, "another size", judgeBlocks(image.NewRGBA(image.Rect(0, 0, 96, 56)), blocks))
}

func TestAPictureThatWasScaledInAnotherWayIsRefused(t *testing.T) {
	from := drawnPicture()
	to := image.NewRGBA(image.Rect(0, 0, 24, 20))
	reference := scaled(from, to.Bounds())
	for name, scaler := range map[string]draw.Scaler{
		"nearest": draw.NearestNeighbor, "bilinear": draw.BiLinear, "approximately bilinear": draw.ApproxBiLinear,
	} {
		scaler.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
		mustBeWrong(t, name, judgeScaled(to, reference))
	}
	draw.CatmullRom.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
	if err := judgeScaled(to, reference); err != nil {
		t.Error(err)
	}
	mustBeWrong(t, "swapped colours", judgeScaled(withSwappedColours(reference), reference))
}

func TestAScaledPictureOfOneColourHasThisColour(t *testing.T) {
	picture := image.NewRGBA(image.Rect(0, 0, 97, 41))
	stddraw.Draw(picture, picture.Bounds(), image.NewUniform(color.RGBA{77, 77, 77, 77}), image.Point{}, stddraw.Src)
	for _, size := range []image.Point{{24, 20}, {97, 41}, {200, 100}} {
		made := scaled(picture, image.Rectangle{Max: size})
		if slices.ContainsFunc(made.Pix, func(value uint8) bool { return value != 77 }) {
			t.Errorf("%v pixels have other colours", size)
		}
	}
}

func TestAStreamOfAnotherPictureOrWithLessInItIsRefused(t *testing.T) {
	source := drawnPicture()
	if err := judgeStream(encoded(t, source, 80), source); err != nil {
		t.Error(err)
	}
	mustBeWrong(t, "another size", judgeStream(encoded(t, scaled(source, image.Rect(0, 0, 48, 32)), 80), source))
	mustBeWrong(t, "swapped colours", judgeStream(encoded(t, withSwappedColours(source), 80), source))
	mustBeWrong(t, "less in it", judgeStream(encoded(t, source, 2), source))
	mustBeWrong(t, "an end", judgeStream(encoded(t, source, 80)[:700], source))
}
