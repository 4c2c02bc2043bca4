#include "kernels/block_relaxation/block_lines.hpp"

namespace cfdmark {

BlockLines relaxing_lines(const BlockArgs& args, const BlockFront& front) {
  return with_layout(args.layout, [&]<BlockLayout layout>() {
    return with_relaxing_form(args, [&]<class S, class C, class X>(const auto& form) {
      return typed_lines<layout, S, C, X>(args, front, form);
    });
  });
}

}  // namespace cfdmark
