/** An engine with a Vulkan device of its own that lets Frameloom work on it. */
@NullMarked
package io.frameloom.samples.adopt;

import org.jspecify.annotations.NullMarked;
