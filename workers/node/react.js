// React as servers use it, one file of the release: report/build.mjs makes it.
module.exports = { ...require("react"), ...require("react-dom/server") };
