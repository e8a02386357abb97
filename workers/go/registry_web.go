package main

// webWorkloads is what the suite web adds: Go's libraries as the study of 2017
// took them.
var webWorkloads = []workload{
	{"gzip-1-text/go", planGzip(goGzip, "text")},
	{"gzip-6-text/go", planGzip(goGzip, "text")},
	{"gzip-9-text/go", planGzip(goGzip, "text")},
	{"gzip-1-digits/go", planGzip(goGzip, "digits")},
	{"gzip-6-digits/go", planGzip(goGzip, "digits")},
	{"gzip-9-digits/go", planGzip(goGzip, "digits")},
	{"regexp-easy-32KiB/go", planRegexp("regex-text-32KiB")},
	{"regexp-easy-i-32KiB/go", planRegexp("regex-text-32KiB")},
	{"regexp-easy1-32KiB/go", planRegexp("regex-text-32KiB")},
	{"regexp-medium-32KiB/go", planRegexp("regex-text-32KiB")},
	{"regexp-hard-32KiB/go", planRegexp("regex-text-32KiB")},
	{"regexp-hard1-32KiB/go", planRegexp("regex-text-32KiB")},
	{"replacer-generic/go", planReplacer(genericReplacement)},
	{"replacer-byte-to-byte/go", planReplacer(byteToByteReplacement)},
	{"replacer-byte-to-string/go", planReplacer(byteToStringReplacement)},
}
