/** Loading of glTF models into scenes. */
@NullMarked
package io.frameloom.samples.gltf;

import org.jspecify.annotations.NullMarked;
