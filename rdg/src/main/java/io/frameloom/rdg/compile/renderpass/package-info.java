/** Which raster passes share a render pass, what their targets load and store, and what stays on tiles. */
@NullMarked
package io.frameloom.rdg.compile.renderpass;

import org.jspecify.annotations.NullMarked;
