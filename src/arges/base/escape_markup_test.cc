#include "arges/base/escape_markup.h"

#include <gtest/gtest.h>

namespace arges {
namespace {

TEST(EscapeMarkup, ReplacesWhatHtmlAndXmlWouldUseAndNothingElse) {
  EXPECT_EQ(escape_markup("a<b & \"c\" > 'd'"), "a&lt;b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(escape_markup("&amp;"), "&amp;amp;");
  EXPECT_EQ(escape_markup("\u03c9 = 2\n"), "\u03c9 = 2\n");
}

}  // namespace
}  // namespace arges
