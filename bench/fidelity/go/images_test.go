package fidelity

import (
	"bytes"
	"image"
	stddraw "image/draw"
	"image/jpeg"
	"testing"

	"golang.org/x/image/draw"
)

func decoded(b *testing.B, photo []byte) image.Image {
	b.Helper()
	picture, err := jpeg.Decode(bytes.NewReader(photo))
	if err != nil {
		b.Fatal(err)
	}
	return picture
}

// pixels is what is decoded as red, green, blue and opacity.
func pixels(b *testing.B, photo []byte) *image.RGBA {
	b.Helper()
	picture := decoded(b, photo)
	made := image.NewRGBA(picture.Bounds())
	stddraw.Draw(made, made.Bounds(), picture, image.Point{}, stddraw.Src)
	return made
}

func encode(b *testing.B, stream *bytes.Buffer, picture image.Image) {
	b.Helper()
	stream.Reset()
	if err := jpeg.Encode(stream, picture, &jpeg.Options{Quality: 80}); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkJPEGDecode(b *testing.B) {
	photo := input(b, "photo.jpg")
	made := pixels(b, photo)
	b.ResetTimer()
	for range b.N {
		stddraw.Draw(made, made.Bounds(), decoded(b, photo), image.Point{}, stddraw.Src)
	}
}

func BenchmarkImageScale(b *testing.B) {
	from := pixels(b, input(b, "photo.jpg"))
	to := image.NewRGBA(image.Rect(0, 0, 600, 400))
	b.ResetTimer()
	for range b.N {
		draw.CatmullRom.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
	}
}

func BenchmarkJPEGEncode(b *testing.B) {
	picture := pixels(b, input(b, "photo.jpg"))
	var stream bytes.Buffer
	b.ResetTimer()
	for range b.N {
		encode(b, &stream, picture)
	}
}

func BenchmarkThumbnailJPEG(b *testing.B) {
	photo := input(b, "photo.jpg")
	small := image.NewRGBA(image.Rect(0, 0, 600, 400))
	var stream bytes.Buffer
	b.ResetTimer()
	for range b.N {
		picture := decoded(b, photo)
		draw.CatmullRom.Scale(small, small.Bounds(), picture, picture.Bounds(), draw.Src, nil)
		encode(b, &stream, small)
	}
}
