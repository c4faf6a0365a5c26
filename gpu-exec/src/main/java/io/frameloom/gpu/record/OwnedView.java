package io.frameloom.gpu.record;

import io.frameloom.gpu.resource.TextureView;

/** A view that a texture of a device has made. Any thread. */
public interface OwnedView extends TextureView {
    /** The rest of the sentence that refuses another view; it begins with the texture. */
    String REFUSAL = "is seen by a view that it has not made; take one that Texture.view returns";
}
