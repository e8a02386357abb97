(function (window, document) {
  "use strict";
  var saved = "tidegate:saved";
  document.documentElement.className = "js";

  function each(selector, visit) {
    Array.prototype.forEach.call(document.querySelectorAll(selector), visit);
  }

  function read() {
    try {
      return JSON.parse(window.localStorage.getItem(saved)) || [];
    } catch (error) {
      return [];
    }
  }

  function write(list) {
    try {
      window.localStorage.setItem(saved, JSON.stringify(list));
    } catch (error) {
      window.console.warn("The list of saved articles could not be kept", error);
    }
  }

  function paint(button, list) {
    var on = list.indexOf(button.getAttribute("data-save")) >= 0;
    button.setAttribute("aria-pressed", on ? "true" : "false");
    button.textContent = on ? "Saved" : "Save";
  }

  each("button[data-save]", function (button) {
    paint(button, read());
    button.addEventListener("click", function () {
      var list = read();
      var id = button.getAttribute("data-save");
      var at = list.indexOf(id);
      if (at >= 0) {
        list.splice(at, 1);
      } else {
        list.push(id);
      }
      write(list);
      paint(button, list);
    });
  });

  each("time[datetime]", function (element) {
    var days = Math.floor((Date.now() - Date.parse(element.getAttribute("datetime"))) / 864e5);
    if (days >= 0 && days < 14) {
      element.title = element.textContent;
      element.textContent = days === 0 ? "today" : days === 1 ? "yesterday" : days + " days ago";
    }
  });

  var field = document.getElementById("search-field");
  field.addEventListener("input", function () {
    var wanted = field.value.trim().toLowerCase();
    each("article.card", function (card) {
      card.hidden = wanted !== "" && card.textContent.toLowerCase().indexOf(wanted) < 0;
    });
  });

  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
  });
}(window, document));
