// Counts how often each device was lost in a row.
#pragma once

#include <map>
#include <string>

#include "kernels/device/backend.hpp"

namespace cfdmark {

class DeviceLosses {
 public:
  // A device is given up after `most` consecutive losses.
  explicit DeviceLosses(int most) : most_(most) {}

  // Records that a case on the device was measured.
  void responds(DeviceId device) { losses_[device].in_a_row = 0; }
  // Records a loss. Returns true if the device is given up because of it.
  bool add(DeviceId device, const std::string& reason) {
    losses_[device].reason = reason;
    return ++losses_[device].in_a_row == most_;
  }
  bool is_given_up(DeviceId device) const { return in_a_row(device) >= most_; }
  int in_a_row(DeviceId device) const {
    const auto found = losses_.find(device);
    return found == losses_.end() ? 0 : found->second.in_a_row;
  }
  // Returns the reason of the last loss.
  const std::string& reason(DeviceId device) const { return losses_.at(device).reason; }

 private:
  struct Losses {
    int in_a_row = 0;
    std::string reason;
  };

  int most_;
  std::map<DeviceId, Losses> losses_;
};

}  // namespace cfdmark
